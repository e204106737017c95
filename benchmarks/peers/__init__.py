"""What a benchmark needs besides Rootward: planted problems, lower bounds, and the methods it is compared with."""

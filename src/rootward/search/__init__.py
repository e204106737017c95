"""What a search is: a generator that asks, what it asks and returns, and the moves that all families share."""

"""Files of the outside world, read and written."""

"""Real files that real tools disagree about, and the reducers that are measured on them."""

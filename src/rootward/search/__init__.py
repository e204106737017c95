"""Searches: generators that ask questions and return a finding, and the moves that all families of searches share."""

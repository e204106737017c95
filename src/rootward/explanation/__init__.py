"""What a diagnosis returns: each failure with its causes, and the facts about them."""

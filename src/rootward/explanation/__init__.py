"""The result of a diagnosis: each failure with its causes, and the facts about them."""

"""The steps of a diagnosis. The top of each file says what the step asks, and why it ends."""

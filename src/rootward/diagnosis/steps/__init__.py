"""The steps of a diagnosis, a chapter each: what it asks, and why it ends."""

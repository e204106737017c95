"""Changes of a model, by what is changed."""

"""The search by boundaries: experiments, features and the logic that explain where it begins to fail."""

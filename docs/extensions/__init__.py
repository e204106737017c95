"""What our pages need of Sphinx beyond what it has."""

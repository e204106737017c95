"""A robot in a simulated world, as a subject: which of the world's models make it fail?"""

from rootward.subjects.world.subject import World

__all__ = ["World"]

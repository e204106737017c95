"""What a subject can be given.

A ``space`` has named fields: the kinds that list their values are in ``fields``, the numbers in ``numeric``, the values
worth trying first in ``exceptional``, the axis on which numbers are measured in ``compression``. A ``candidate`` is
what a search proposes to run. ``keys`` tell which values are the same; ``values`` writes them as JSON and reads them
back.
"""

"""The inputs of a subject: fields, spaces, candidates, and their identity.

A ``space`` has named fields. ``fields`` contains the kinds of field that list their values, ``numeric_fields`` the
numbers, ``exceptional_values`` the values worth trying first, and ``compression`` the axis on which numbers are
measured. A ``candidate`` is what a search proposes to run. ``keys`` defines which values are the same; ``values``
writes them as JSON and reads them back.
"""

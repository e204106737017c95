"""Compare rules by meaning, exactly, and find the shortest rule with a given meaning.

A rule becomes a union of boxes over finitely many cells: ``cells`` divides the domain of a field into cells, ``boxes``
is the set algebra, ``express`` finds the fewest atoms for a set of cells, ``minimise`` the fewest for a union of boxes.
``algebra`` turns terms into boxes and back: simplification, implication, complement. ``condense`` shortens rules
further for a person to read: it may use the expressions of code, with ``integers`` for conditions on integers.
"""

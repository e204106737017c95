"""What rules mean, decided exactly, and the shortest way to say it.

A rule becomes a union of boxes over finitely many cells: ``cells`` cuts the domain of a field, ``boxes`` is the set
algebra, ``express`` finds the fewest atoms for a set of cells, ``minimise`` the fewest for a union of boxes.
``algebra`` turns terms into boxes and back: simplification, implication, complement. ``condense`` goes further, for a
person to read: it may use the words of code, with ``integers`` for what is said about whole numbers.
"""

"""Files cut into removable parts: lines, trees, rows, messages. `registry` opens any of them."""

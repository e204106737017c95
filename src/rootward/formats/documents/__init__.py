"""Files cut into parts of which some can be left out: lines, trees, rows, messages. `registry` opens any of them."""

"""The laws of the lab, for every registered search: ``laws`` says what they are, ``cases`` on what they are tried."""

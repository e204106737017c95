"""Rules in the languages of machines: Python, C, SMT-LIB and JSON.

Every module here writes terms. Nothing below `rootward.rules.rule` knows that they exist: a rule is exported by the
methods of `Rule`, which stands above both. The text that a person reads is not an export, because comparisons and
quantities are identified and compared by it: see `rootward.rules.text`.
"""

"""Export rules as Python, C, SMT-LIB and JSON.

Every module here writes terms. Only `rootward.rules.rule` imports them: the methods of `Rule` export a rule. The text
that a person reads is not an export, because it is part of quantities and atoms: see `rootward.rules.text`.
"""

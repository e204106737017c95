"""ALO-Trees: active learning of omnivariate decision trees (Hutchison, Zizyte, Guttendorf, Le Goues and Koopman).

``alo`` is the search. ``axes`` is the space: compressed fields, domains of special values, trials as points.
``sampling`` chooses the next runs. ``tree`` defines trees and the ten forms of a question, ``splitting`` finds the best
question for a node, ``fitting`` grows and prunes the tree, and ``wording`` turns it into a rule.
"""

"""ALO-Trees: active learning of omnivariate decision trees (Hutchison, Zizyte, Guttendorf, Le Goues and Koopman).

Sampling: ``axes`` is the compressed space, ``latin`` the passive sampler, ``certainty`` says what is worth asking,
``active`` finds it, ``domains`` has the bandit over special values, ``sphere`` the bootstrap. Fitting: ``questions``
are the ten forms of a split, ``borders`` and ``ransac`` find their constants, ``splitters`` chooses one; ``grow``,
``prune`` and ``graft`` make the tree, ``wording`` says it. ``alo`` is the search.
"""

"""Strategies for quantities and for rules over them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from hypothesis import strategies as st

from rootward.rules import Atom, Quantity

ARITHMETIC = ["+", "-", "*", "/", "rem", "&", "|", "^", ">>", "<<", "min", "max"]
COMPARISONS = ["<", "<=", ">", ">=", "==", "!="]


def parts(names: Sequence[str], numbers: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    """Fields, numbers and what can be computed of them."""
    leaf = st.sampled_from(names) | st.sampled_from(names) | numbers
    return st.recursive(leaf, _computed, max_leaves=4)


def _computed(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.one_of(
        st.builds(Quantity, st.sampled_from(ARITHMETIC), inner, inner),
        st.builds(Quantity, st.sampled_from(["abs", "int", "sqrt"]), inner),
        st.builds(Quantity, st.just("len_str"), st.builds(Quantity, st.just("int"), inner) | inner),
        st.builds(Quantity, st.just("%"), inner, st.sampled_from([1, 2, 3, 8, 360, 2**70])),
        st.builds(Quantity, st.just("%"), inner, inner.filter(lambda part: isinstance(part, str))),
        st.builds(Quantity, st.just("wrap"), inner, st.sampled_from([1, 3, 8, 16, 32, 64]), st.booleans()),
        st.builds(Quantity, st.sampled_from(["min", "max"]), inner, inner, inner),
    )


def quantities(names: Sequence[str], numbers: st.SearchStrategy[Any]) -> st.SearchStrategy[Quantity]:
    return parts(names, numbers).filter(lambda part: isinstance(part, Quantity))


def comparisons(names: Sequence[str], numbers: st.SearchStrategy[Any]) -> st.SearchStrategy[Quantity]:
    inner = parts(names, numbers)
    return st.builds(Quantity, st.sampled_from(COMPARISONS), inner, inner)


def quantity_atoms(names: Sequence[str], numbers: st.SearchStrategy[Any]) -> st.SearchStrategy[Atom]:
    ops = st.sampled_from(["=", "!=", "<", "<=", ">", ">="])
    numeric = st.builds(Atom, quantities(names, numbers), ops, numbers)
    boolean = st.builds(Atom, comparisons(names, numbers), st.sampled_from(["=", "!="]), st.booleans())
    return numeric | numeric | boolean

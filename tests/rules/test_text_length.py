"""Long texts are cut in sentences, and whole in the data."""

from rootward.rules import Atom, Rule, Term
from rootward.rules.text import MAX_TEXT, value_text


def test_a_long_text_is_cut_and_its_length_is_said() -> None:
    long = "a" * 65_536
    rule = Rule.of_terms([Term.of([Atom("title", "=", long)])])
    assert len(str(rule)) < 2 * MAX_TEXT
    assert "(65,536 characters)" in str(rule)
    assert long in str(rule.to_dict())
    assert long in rule.to_python()
    assert value_text("a" * MAX_TEXT) == "a" * MAX_TEXT

import contextlib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given
from hypothesis import strategies as st

from rootward import InputError
from rootward.traces.languages import load_model, nodes
from rootward.traces.languages.nodes import from_python, read_yaml
from rootward.traces.model.model import Model
from tests.properties import examples
from tests.waiting import cpu_seconds

MODELS = Path(__file__).parents[3] / "examples" / "models"


def written(tmp_path, text):
    path = tmp_path / "model.yaml"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def test_keys_and_values_are_texts_with_their_lines(tmp_path):
    found: Any = read_yaml(written(tmp_path, 'on: 0100\nyes:\n  - no\n  - "12"\n  - {a: 1:30}\n'))
    assert found.value["on"].value == "0100"
    items = found.value["yes"].items("a list")
    assert [one.where.rpartition(", ")[2] for one in items] == ["line 3", "line 4", "line 5"]
    assert [one.value for one in items[:2]] == ["no", "12"]
    assert [one.quoted for one in items[:2]] == [False, True]
    assert items[2].value["a"].value == "1:30"


def test_an_alias_stands_for_what_it_names(tmp_path):
    found: Any = read_yaml(written(tmp_path, "a: &x [1, 2]\nb: *x\n"))
    assert found.value["a"] is found.value["b"]


LAUGHS = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n" + "".join(
    f"a{i}: &a{i} [{', '.join([f'*a{i - 1}'] * 10)}]\n" for i in range(1, 12)
)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "is empty: a model needs"),
        ("# nothing\n", "is empty"),
        ("a: 1\na: 2\n", "line 2: the key 'a' occurs twice"),
        ("a: 1\n---\nb: 2\n", "line 2: a model file must contain only one YAML document"),
        ("? [a, b]\n: 1\n", "line 1: a key must be a text"),
        ("a: !!python/object/apply:os.system ['echo hi']\n", "line 1: YAML tags such as .*os.system are not supported"),
        ("a: !!python/name:os.system\n", "YAML tags such as .* are not supported"),
        ("a: !!binary aGk=\n", "YAML tags such as .* are not supported"),
        ("!!set {a, b}\n", "YAML tags such as .* are not supported"),
        ("a: *b\n", "line 1: the alias \\*b has no anchor"),
        ("a: &b [*b]\n", "the alias \\*b has no anchor"),
        (LAUGHS, "more than 250,000 values"),
        ("[" * 100_000, "more than 40 levels"),
        ("{a: " * 100_000, "more than 40 levels"),
        ("- " * 100_000, "more than 40 levels"),
        ("\n".join("  " * i + f"a{i}:" for i in range(500)), "more than 40 levels"),
        ("a: [1, 2\n", "not valid YAML"),
        ("a: b: c\n", "line 1: not valid YAML"),
        ("a: \x00\n", "not valid YAML"),
        (b"\xff\xfe\xfa", "is not valid UTF-8: unexpected byte 0xff at offset 0"),
        (b"x" * 6_000_000, "it has 5.72 MB, and the limit is 4.77 MB"),
    ],
)
def test_what_is_no_model_file(tmp_path, text, reason):
    def refused():
        with pytest.raises(InputError, match=reason) as error:
            load_model(written(tmp_path, text))
        assert "model.yaml" in str(error.value)

    assert cpu_seconds(refused) < 100


def test_a_file_with_more_values_than_any_model(tmp_path, monkeypatch):
    monkeypatch.setattr(nodes, "MAX_VALUES", 1000)
    with pytest.raises(InputError, match="more than 1,000 values"):
        load_model(written(tmp_path, "- x\n" * 1001))


def test_files_that_cannot_be_read(tmp_path):
    for path in (tmp_path / "none.yaml", tmp_path, "a\0b"):
        with pytest.raises(InputError, match="cannot be read"):
            load_model(path)


def test_plain_values_become_the_same_tree():
    found: Any = from_python({"a": [1, -2, "x", "12", True, None, 0.5], "b": {"c": "d"}}, "the model M")
    items = found.value["a"].items("a list")
    assert [one.value for one in items] == ["0x1", "-2", "x", "12", "true", "null", "0.5"]
    assert [one.quoted for one in items] == [False, False, False, True, False, False, False]
    assert found.value["b"].value["c"].where == "the model M, b, c"
    with pytest.raises(InputError, match="the model M, a: expected a text, a number, a list or a dict, got object"):
        from_python({"a": object()}, "the model M")


def loads_or_explains(path):
    with contextlib.suppress(InputError):
        assert isinstance(load_model(path), Model)


FUZZ = examples(100, suppress_health_check=[HealthCheck.function_scoped_fixture])


@FUZZ
@given(st.binary(max_size=300))
def test_noise_is_explained(tmp_path, noise):
    loads_or_explains(written(tmp_path, noise))


SEEDS = {path.name: path.read_bytes() for path in sorted(MODELS.glob("*.yaml"))}
PIECES = [
    b"0",
    b"-1",
    b"99999999999999999999",
    b"$data",
    b"*",
    b"[",
    b"]",
    b"{",
    b"}",
    b"'",
    b": ",
    b"\n",
    b"- ",
    b"!!x ",
]


@FUZZ
@given(st.sampled_from(sorted(SEEDS)), st.data())
def test_damaged_models_are_explained(tmp_path, name, data):
    text = SEEDS[name]
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(text)))
        cut = data.draw(st.integers(0, 12))
        text = text[:at] + data.draw(st.one_of(st.sampled_from(PIECES), st.binary(max_size=3))) + text[at + cut :]
    loads_or_explains(written(tmp_path, text))


@FUZZ
@given(st.sampled_from(sorted(SEEDS)), st.integers(0, 3000))
def test_truncated_models_are_explained(tmp_path, name, end):
    loads_or_explains(written(tmp_path, SEEDS[name][:end]))

"""YAML as a tree: what is left has the structure of the whole without the parts that were left out."""

import pickle
import time
from typing import Any

import pytest
import yaml
from hypothesis import assume, given
from hypothesis import strategies as st

from rootward import InputError
from rootward.formats.documents.yaml_tree import YamlTree
from tests.properties import examples


def open_text(folder, text):
    path = folder / "a.yaml"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return YamlTree(path)


def without(tree, *names):
    """The text without the parts of these names."""
    assert set(names) <= {str(part) for part in tree}
    return tree.render([part for part in tree if str(part) not in names]).decode()


# Structures: a scalar, an alias, or a list whose kind is its first entry. This is the oracle.


def structures(text):
    return _structure(iter(list(yaml.parse(text, Loader=yaml.SafeLoader))))


def _structure(events):
    found: list[Any] = []
    for event in events:
        if isinstance(event, yaml.ScalarEvent):
            found.append(("scalar", event.value, event.anchor, event.tag))
        elif isinstance(event, yaml.AliasEvent):
            found.append(("alias", event.anchor))
        elif isinstance(event, yaml.DocumentStartEvent):
            found.append(["document", *_structure(events)])
        elif isinstance(event, yaml.SequenceStartEvent):
            found.append(["sequence", (event.anchor, event.tag), *_structure(events)])
        elif isinstance(event, yaml.MappingStartEvent):
            below = _structure(events)
            pairs = list(zip(below[::2], below[1::2], strict=True))
            found.append(["mapping", (event.anchor, event.tag), *pairs])
        elif isinstance(event, yaml.CollectionEndEvent | yaml.DocumentEndEvent):
            break
    return found


class Pruned:
    """What is left of structures, with the parts numbered in the order of the text."""

    def __init__(self, documents, kept):
        self.kept, self.count = kept, 0
        self.there: set[int | None] = {None}
        self.anchors: dict[Any, Any] = {}
        self.left = []
        several = len(documents) > 1
        for _, root in documents:
            self.anchors = {}
            part = self.part(None) if several else None
            root = self.node(root, part)
            if part in self.there:
                self.left.append(["document", root])

    def part(self, parent):
        number, self.count = self.count, self.count + 1
        if number in self.kept and parent in self.there:
            self.there.add(number)
        return number

    def node(self, node, part, key=False):
        if node[0] == "alias":
            if self.anchors[node[1]] not in self.there:
                self.there.discard(part)
            return node
        anchor = node[2] if node[0] == "scalar" else node[1][0]
        if anchor is not None:
            self.anchors[anchor] = part
        return node if node[0] == "scalar" else [*node[:2], *self.items(node, part, key)]

    def items(self, node, parent, key):
        left = []
        for item in node[2:]:
            part = parent if key else self.part(parent)
            if node[0] == "mapping":
                below = (self.node(item[0], part, key=True), self.node(item[1], part, key))
            else:
                below = self.node(item, part, key)
            if part in self.there:
                left.append(below)
        return left


# Texts, in many of the ways in which YAML can be written.

WORDS = st.sampled_from(["a", "b2", "'it''s # no'", '"é\\n"', "x y", "-1", "!!str 7", "null", "http://x", "😀"])
KEYS = st.sampled_from(["k", "key2", "'q: r'", '"d"', "two words", "1", "é", "<<"])


class Writer:
    def __init__(self, draw):
        self.draw, self.anchors = draw, 0

    def chance(self, *choices):
        return self.draw(st.sampled_from(choices))

    def node(self, depth):
        """What follows on the line, and the lines below; these are a block collection if nothing follows."""
        kinds = ["word", "word", "long", "letters", "empty", "flow", "alias"]
        kind = self.chance(*kinds, *(["mapping", "sequence"] * 4 if depth else []))
        if kind == "mapping":
            return self.anchor().strip(), self.mapping(depth), kind
        if kind == "sequence":
            return self.anchor().strip(), self.sequence(depth), kind
        if kind == "letters":
            header = self.chance("|", ">", "|+", "|-", "|2") + self.chance("", " # c")
            return self.anchor() + header, ["  text", *self.chance([], ["", "  more"], [""], ["   # no comment"])], kind
        if kind == "long":
            return self.anchor() + "first", ["  second", *self.chance([], ["", "  third"])], kind
        inline: Any = (
            {"word": self.draw(WORDS), "empty": "", "flow": self.flow(2)}.get(kind) if kind != "alias" else self.alias()
        )
        return (self.anchor() if kind != "alias" else "") + inline + self.chance("", "", " # c"), [], "inline"

    def anchor(self):
        if self.chance(0, 0, 0, 1) == 0:
            return ""
        self.anchors += 1
        return f"&n{self.anchors} "

    def alias(self):
        return f"*n{self.draw(st.integers(1, self.anchors))}" if self.anchors else "none"

    def flow(self, depth):
        items = self.draw(st.integers(0, 3)) if depth else 0
        gap = lambda: self.chance("", " ", " ", "\n      ", " # c\n      ")  # noqa: E731
        if self.chance("list", "map") == "list":
            inside = [f"{gap()}{self.flow_value(depth)}{gap()}" for _ in range(items)]
            return f"[{','.join(inside)}{self.chance('', ',') if items else ''}]"
        inside = [f"{gap()}{self.draw(KEYS)}: {self.flow_value(depth)}{gap()}" for _ in range(items)]
        return "{" + ",".join(inside) + (self.chance("", ",") if items else "") + "}"

    def flow_value(self, depth):
        kind = self.chance("word", "flow", "alias")
        if kind == "word":
            return self.anchor() + self.draw(WORDS)
        return self.alias() + " " if kind == "alias" else self.anchor() + self.flow(depth - 1)

    def between(self):
        return self.chance([], [], [], ["# c"], [""], ["    # far"], ["", "  # near", ""])

    def mapping(self, depth):
        lines: list[str] = []
        for _ in range(self.draw(st.integers(1, 4))):
            lines += self.between() if lines else []
            if self.chance(0, 0, 0, 0, 1):
                lines += ["? " + self.chance("plain", "[a, b]", "&k x", "- in")]
                colon = ":"
            else:
                colon = self.anchor() + self.draw(KEYS) + ":"
            inline, below, kind = self.node(depth - 1)
            indent = self.chance(1, 2, 4) if kind != "sequence" else self.chance(0, 2)
            lines += [f"{colon} {inline}".rstrip() if not inline else f"{colon} {inline}", *self.moved(below, indent)]
        return lines

    def sequence(self, depth):
        lines: list[str] = []
        for _ in range(self.draw(st.integers(1, 4))):
            lines += self.between() if lines else []
            inline, below, kind = self.node(depth - 1)
            if kind in ("mapping", "sequence") and not inline and self.chance(0, 1, 1):
                lines += [f"- {below[0]}", *self.moved(below[1:], 2)]
            else:
                lines += [f"- {inline}", *self.moved(below, self.chance(1, 3))]
        return lines

    @staticmethod
    def moved(lines, indent):
        return [" " * indent + line if line else line for line in lines]

    def document(self):
        self.anchors = 0
        inline, below, kind = self.node(3)
        start = self.chance("---", "---", "%YAML 1.1\n---")
        if kind not in ("mapping", "sequence"):
            return [f"{start} {inline}", *self.moved(below, 1)]
        return [f"{start} {inline}", *below]

    def text(self):
        lines = [*self.between(), *self.document()]
        if self.chance(0, 1) and lines[0] == "--- ":
            lines = lines[1:]
        for _ in range(self.chance(0, 0, 0, 1, 2)):
            lines += [*self.between(), *self.chance([], ["..."], ["... # end", "# c"]), *self.document()]
        return self.chance("\n", "\n", "\r\n").join(lines) + self.chance("\n", "", "\n\n", "\n# end\n", "\n...\n")


@examples(150)
@given(data=st.data())
def test_what_is_left_is_the_structure_without_the_parts_left_out(tmp_path_factory, data):
    text = Writer(data.draw).text()
    try:
        whole = structures(text)
        assert Pruned(whole, range(10**6)).left == whole  # every alias has its anchor
    except (yaml.YAMLError, KeyError):
        assume(False)
    tree = open_text(tmp_path_factory.getbasetemp(), text)
    assert tree.render(tree) == text.encode()
    kept = data.draw(st.sets(st.sampled_from(range(len(tree))))) if len(tree) else set()
    expected = Pruned(whole, kept)
    assert expected.count == len(tree)
    left = tree.render([tree[i] for i in kept]).decode()
    assert structures(left) == expected.left, left


WORLD = """\
# a robot
robot: &base
  wheels: 4   # driven
  # the sensors
  sensors:
  - name: laser
    range: [0.1, 30]
  - {name: imu, rate: 100}
other:
  <<: *base
  note: |
    two
    lines

last: 1
"""


def test_parts_are_named_by_their_paths(tmp_path):
    tree = open_text(tmp_path, WORLD)
    assert [str(part) for part in tree][:8] == [
        *("$.robot", "$.robot.wheels", "$.robot.sensors", "$.robot.sensors[0]", "$.robot.sensors[0].name"),
        *("$.robot.sensors[0].range", "$.robot.sensors[0].range[0]", "$.robot.sensors[0].range[1]"),
    ]
    assert tree.parents[:8] == (None, 0, 0, 2, 3, 3, 5, 5)
    assert (tree.noun, tree.reduced_path.name) == ("value", "a.reduced.yaml")
    assert list(pickle.loads(pickle.dumps(tree))) == list(tree)


def test_the_text_around_a_part_stays(tmp_path):
    tree = open_text(tmp_path, WORLD)
    assert without(tree, "$.robot.wheels") == WORLD.replace("  wheels: 4   # driven\n", "")
    assert without(tree, "$.robot.sensors[0].name") == WORLD.replace("name: laser\n    ", "")
    assert without(tree, "$.robot.sensors[0].range[0]") == WORLD.replace("0.1, ", "")
    assert without(tree, "$.robot.sensors[1].name") == WORLD.replace("name: imu, ", "")
    assert without(tree, "$.other.note") == WORLD.replace("  note: |\n    two\n    lines\n\n", "")
    assert without(tree, "$.robot", "$.other") == "# a robot\nlast: 1\n"


def test_what_loses_all_of_its_items_stays_a_collection(tmp_path):
    tree = open_text(tmp_path, WORLD)
    nothing = without(
        tree, "$.robot.sensors[0]", "$.robot.sensors[1]", "$.other['<<']".replace("'", '"'), "$.other.note"
    )
    value = yaml.safe_load(nothing)
    assert value == {"robot": {"wheels": 4, "sensors": []}, "other": {}, "last": 1}
    assert "# a robot" in nothing
    assert "# the sensors" in nothing
    assert yaml.safe_load(tree.render([])) == {}
    assert yaml.safe_load(open_text(tmp_path, "- a\n- - b\n").render([])) == []


def test_an_alias_goes_with_its_anchor(tmp_path):
    tree = open_text(tmp_path, WORLD)
    assert yaml.safe_load(without(tree, "$.robot")) == {"other": {"note": "two\nlines\n"}, "last": 1}
    again = open_text(tmp_path, "- &a 1\n- &a 2\n- *a\n")
    assert without(again, "$[0]") == "- &a 2\n- *a\n"
    assert without(again, "$[1]") == "- &a 1\n", "the anchor that counts is the last one before the alias"


def test_a_comment_is_not_swallowed_by_a_scalar_of_several_lines(tmp_path):
    tree = open_text(tmp_path, "a: |\n  text\nb: 1\n   # far\n\nc: 2\n# end\n")
    assert yaml.safe_load(without(tree, "$.b")) == {"a": "text\n", "c": 2}
    assert yaml.safe_load(without(tree, "$.b", "$.c")) == {"a": "text\n"}
    assert yaml.safe_load(without(open_text(tmp_path, 'a: [b, "c"#d\n ]'), "$.a[1]")) == {"a": ["b"]}


def test_documents_are_parts(tmp_path):
    tree = open_text(tmp_path, "a: 1\n...\n# list\n---\n- b\n--- c\n...\n%TAG ! !x\n---\nd\n")
    assert [str(part) for part in tree] == ["$[0]", "$[0].a", "$[1]", "$[1][0]", "$[2]", "$[3]"]
    loaded = list(yaml.safe_load_all(without(tree, "$[0]", "$[2]")))
    assert loaded == [["b"], "d"]
    assert list(yaml.safe_load_all(without(tree, "$[1]"))) == [{"a": 1}, "c", "d"]
    assert list(yaml.safe_load_all(without(tree, "$[0]", "$[1]"))) == ["c", "d"]
    assert list(yaml.safe_load_all(tree.render([]))) == []


def test_a_stream_stays_one_without_its_documents(tmp_path):
    tree = open_text(tmp_path, "  first\n--- a\n...\n...\n--- b\n")
    assert list(yaml.safe_load_all(without(tree, "$[0]"))) == ["a", "b"]
    assert without(tree, "$[0]", "$[1]") == "--- b\n"
    tree = open_text(tmp_path, "--- a\n---\nk: 1\n%YAML 1.1\n--- b\n")
    assert without(tree, "$[1]") == "--- a\n...\n%YAML 1.1\n--- b\n"


def test_a_pair_without_braces_is_one_item(tmp_path):
    tree = open_text(tmp_path, "[a: [1, 2], ? b : c, {d: e}]")
    assert [str(part) for part in tree] == ["$[0]", "$[0][0]", "$[0][1]", "$[1]", "$[2]", "$[2].d"]
    assert without(tree, "$[0][0]", "$[2].d") == "[a: [2], ? b : c, {}]"


@pytest.mark.parametrize("text", ["text", "", "# nothing", "--- |\n text\n"])
def test_a_document_without_collections_has_no_parts(tmp_path, text):
    tree = open_text(tmp_path, text)
    assert (len(tree), tree.render([])) == (0, text.encode())


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("a: [1", r"line \d, column \d: .*expected ',' or '\]'"),
        ("a: 1\n b: 2", "line 2, column 3: mapping values are not allowed"),
        ("a: *b", r"line 1, column 4: the alias \*b has no anchor"),
        ("--- &b x\n--- *b\n", r"line 2, column 5: the alias \*b has no anchor"),
        ("a: \0", "control characters are not allowed|special characters are not allowed"),
        ("\t- a", "line 1"),
        (b"a: \xff", "UTF-8"),
        ("[" * 100_000, "more than 1,000 levels"),
        ("- " * 100_000, "more than 1,000 levels"),
        ("{a: " * 5_000 + "}" * 5_000, "more than 1,000 levels"),
    ],
)
def test_what_is_not_yaml_is_refused_with_its_place(tmp_path, text, reason):
    begun = time.process_time()
    with pytest.raises(InputError, match=reason) as refusal:
        open_text(tmp_path, text)
    assert "\n" not in str(refusal.value)
    assert time.process_time() - begun < 100


def test_tags_are_not_obeyed_and_aliases_not_followed(tmp_path):
    bomb = "a0: &a0 [x, x]\n" + "".join(f"a{i}: &a{i} [{', '.join([f'*a{i - 1}'] * 9)}]\n" for i in range(1, 40))
    tree = open_text(tmp_path, f"{bomb}evil: !!python/object/apply:os.abort []\n")
    assert len(tree) == 40 * 1 + 2 + 39 * 9 + 1
    assert (
        without(tree, "$.a0")
        == "".join(f"a{i}: &a{i} []\n" for i in range(1, 2))
        + "".join(f"a{i}: &a{i} [{', '.join([f'*a{i - 1}'] * 9)}]\n" for i in range(2, 40))
        + "evil: !!python/object/apply:os.abort []\n"
    )

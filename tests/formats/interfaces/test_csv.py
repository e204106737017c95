"""CSV files: types in the header or inferred, and the values of the rows."""

import pytest

import rootward as rw
from rootward.errors import InputError
from rootward.formats.interfaces import from_csv
from rootward.formats.interfaces.samples import MAX_COLUMN_VALUES


@pytest.fixture
def table(tmp_path):
    def write(text, **options):
        path = tmp_path / "t.csv"
        path.write_bytes(text.encode(**options) if isinstance(text, str) else text)
        return path

    return write


def test_a_header_with_types(table):
    header = "speed:float,gear:int8,on:bool,name:text,mode:choice(P|R|D),n: int ,u:uint16,f:float32,w:uint"
    assert from_csv(table(header)) == rw.Space(
        {
            "speed": rw.Float(),
            "gear": rw.Int(bits=8),
            "on": rw.Bool(),
            "name": rw.Text(),
            "mode": rw.Choice(["P", "R", "D"]),
            "n": rw.Int(bits=64),
            "u": rw.Int(bits=16, signed=False),
            "f": rw.Float(bits=32),
            "w": rw.Int(bits=64, signed=False),
        }
    )


def test_values_of_the_rows_are_tried(table):
    space = from_csv(table("n:int8,t:text,m:choice(a|b),e:float\n77,own,b,\n-77, own ,a,0.3\n"))
    assert {77, -77} <= set(space.values("n"))
    assert space.values("t") == (*rw.Text().values, "own")
    assert space.values("m") == ("a", "b")
    assert 0.3 in space.values("e")


def test_inferred_types(table):
    rows = "i,u,f,b,t,zip,none,big\n1,1,1,true,a,007,,1\n-5,18446744073709551615,2.5e3,FALSE,1,12,,1e400\n"
    space = from_csv(table(rows))
    assert isinstance(space["i"], rw.Int)
    assert space["u"] == rw.Int(bits=64, signed=False)
    assert isinstance(space["f"], rw.Float)
    assert 2500.0 in space.values("f")
    assert space["b"] == rw.Bool()
    assert space.values("t") == rw.Text().values
    assert {"007", "12"} <= set(space.values("zip"))
    assert space["none"] == rw.Text()


def test_nan_and_infinities_are_numbers(table):
    assert from_csv(table("x\nnan\n-inf\n1\n")) == rw.Space({"x": rw.Float()})


def test_colons_that_announce_no_type(table):
    assert from_csv(table("robot:speed,a:b\n1,x\n")).names == ("robot:speed", "a:b")
    assert from_csv(table("robot:speed:int,m:choice(a:b|c)\n")).names == ("robot:speed", "m")


def test_quotes_blank_lines_and_byte_order_marks(table):
    space = from_csv(table('"a,b:int","c ""x"":text"\r\n\r\n1,"two\nlines"\r\n', encoding="utf-8-sig"))
    assert space.names == ("a,b", 'c "x"')
    assert "two\nlines" in space.values('c "x"')


def test_of_many_values_a_few_are_tried(table):
    space = from_csv(table("n,t\n" + "".join(f"{7 * row},x{row}\n" for row in range(1000, 0, -1))))
    tried = set(space.values("n")) - set(rw.Int(bits=64).values)
    assert len(tried) <= MAX_COLUMN_VALUES
    assert {7, 7000} <= tried
    assert len(space.values("t")) == len(rw.Text().values) + MAX_COLUMN_VALUES


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a:int,b:int,a:int", "t.csv: column 3 'a:int': column 1 has the same name 'a'"),
        ("a,b,a\n1,2,3\n", "t.csv: column 3 'a': column 1 has the same name 'a'"),
        ("a:int,:int", "t.csv: column 2 ':int' has no name"),
        ("a, ,c\n1,2,3\n", "t.csv: column 2 ' ' has no name"),
        ("a:int,b", "t.csv: column 2 'b' has no type, but other columns have: add one of bool, int8,"),
        ("a:int,b:flaot", "t.csv: column 2 'b:flaot' has no type, but other columns have"),
        ("a:int(3)", "t.csv: column 1 'a:int(3)': expected int64"),
        ("a:choice", "t.csv: column 1 'a:choice': expected choice(A|B|...)"),
        ("a:choice(x||y)", "t.csv: column 1 'a:choice(x||y)': the values of a choice must be distinct and not empty"),
        ("a:choice(x|x)", "t.csv: column 1 'a:choice(x|x)': the values of a choice must be distinct and not empty"),
        ("a:int8\n1\n\n300\n", "t.csv: column 1 'a:int8', line 4: '300' is not integer (int8)"),
        ("a:bool\n1\nyes\n", "t.csv: column 1 'a:bool', line 3: 'yes' is not False or True"),
        ("a:choice(x|y)\nz\n", "t.csv: column 1 'a:choice(x|y)', line 2: 'z' is not one of x, y"),
        ("a:float\n1_0\n", "t.csv: column 1 'a:float', line 2: '1_0' is not number (float64)"),
        ("a:int,b:int\n1\n", "t.csv: line 2 has 1 cells, the header has 2"),
        ("a,b\n", "t.csv: the types of the columns are unknown: declare them in the header, as in speed:float"),
        ("", "t.csv is empty: expected a header"),
        ('a:int\n"1', "t.csv: line 2: unexpected end of data"),
        (b"a:int\n\xff", "t.csv cannot be read: "),
    ],
)
def test_mistakes(table, text, message):
    with pytest.raises(InputError) as caught:
        from_csv(table(text))
    assert message in str(caught.value)


def test_a_file_that_is_missing(tmp_path):
    with pytest.raises(InputError, match=r"none\.csv cannot be read: No such file or directory"):
        from_csv(tmp_path / "none.csv")

"""[data]: where the tables are, how they are compared, and mistakes in it."""

from pathlib import Path

import pytest

from rootward import Command, StudyError
from rootward.study import Study, load_study

BAD, GOOD = "id,price,unit\n1,40,kg\n2,400,kg\n", "id,price,unit\n1,40,kg\n2,41,kg\n"
SUBJECT = '[subject]\ncommand = ["./run.sh", "{file}"]\n'
TABLES = '[data]\nbad = "bad.csv"\ngood = ["good.csv"]\nkey = "id"\n'


def studied(folder: Path, text: str) -> Study:
    (folder / "bad.csv").write_text(BAD)
    (folder / "good.csv").write_text(GOOD)
    (folder / "study.toml").write_text(text)
    return load_study(folder / "study.toml")


def test_tables_are_opened_when_they_are_needed(tmp_path):
    study = studied(tmp_path, SUBJECT + TABLES)
    assert study.data is not None
    assert (study.data.bad, study.data.good, study.data.key, study.data.columns) == (
        "bad.csv",
        ("good.csv",),
        ("id",),
        None,
    )
    tables = study.data.tables
    assert tables is study.data.tables
    assert len(tables) == 1
    assert tables.names == ["bad.csv", "good.csv"], "as the study calls them"
    assert tables.bad["price"].to_list() == ["40", "400"], "a command gets the text of a cell as it is"


def test_one_good_table_and_several_columns(tmp_path):
    text = SUBJECT + '[data]\nbad = "bad.csv"\ngood = "good.csv"\nkey = ["id", "unit"]\ncolumns = ["price"]\n'
    data = studied(tmp_path, text).data
    assert (data.good, data.key, data.columns) == (("good.csv",), ("id", "unit"), ("price",))


def test_a_command_gets_a_file_of_that_name(tmp_path):
    study = studied(tmp_path, SUBJECT + TABLES)
    assert study.subject == Command(["./run.sh", "{file}"], cwd=str(tmp_path), file_name="bad.csv")


def test_a_function_gets_values(tmp_path):
    study = studied(tmp_path, '[subject]\nfunction = "os:stat"\n' + TABLES)
    assert study.data.tables.bad["price"].to_list() == [40, 400]


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('bad = "bad.csv"\n', "", "3: data.bad: missing: expected the path of a table with which it fails"),
        ('key = "id"\n', "", "3: data.key: missing: expected the column that identifies a row"),
        ('["good.csv"]', "[]", "5: data.good: expected a string or a list of strings, got []"),
        ('["good.csv"]', "[3]", "5: data.good: expected a string or a list of strings, got [3]"),
        ('["good.csv"]', '"gone.csv"', "5: data.good: FOLDER/gone.csv cannot be read: No such file or directory"),
        ('"bad.csv"', '"gone.csv"', "4: data.bad: FOLDER/gone.csv cannot be read: No such file or directory"),
        ('key = "id"', 'key = 3', "6: data.key: expected the column that identifies a row, or a list of columns"),
        ('key = "id"', 'key = "id"\ncolum = "x"', "7: data.colum: unknown key; did you mean 'columns'?"),
        ('{file}', '{config}', "2: subject.command: the command does not use the table: write {file} for its path"),
    ],
)  # fmt: skip
def test_mistakes(tmp_path, old, new, message):
    text = SUBJECT + TABLES
    assert old in text
    with pytest.raises(StudyError) as error:
        studied(tmp_path, text.replace(old, new))
    assert f"study.toml:{message}".replace("FOLDER", str(tmp_path)) in str(error.value)


def test_a_mistake_that_only_the_tables_show(tmp_path):
    study = studied(tmp_path, SUBJECT + TABLES.replace('"id"', '"it"'))
    with pytest.raises(StudyError) as error:
        _ = study.data.tables
    assert str(error.value) == f"{study.path}:3: data: bad.csv has no column it; it has id, price, unit"


def test_beside_fields_the_command_need_not_get_a_file(tmp_path):
    text = SUBJECT.replace("{file}", "{config}") + '[fields]\na = "bool"\n' + TABLES
    assert studied(tmp_path, text).data is not None

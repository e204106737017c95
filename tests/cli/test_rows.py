"""``rootward rows`` as a user meets it."""

import json

import pytest

HEAD = "id,day,price,note\n"
GOOD = HEAD + "".join(f"{i:03},2024-01-{1 + i % 28:02},{i}.50,fine\n" for i in range(200))
PROGRAM = """
while IFS=, read -r id day price note; do
    case $id in id | ???) ;; *) echo "the ids have lost their zeros" >&2; exit 2 ;; esac
    case $price in 1e9 | nothing) echo "too much" >&2; exit 1 ;; esac
done < "$1"
"""
ANSWER = """\
It fails because of 2 of 200 rows.
Failure: exit code 1: too much
  id=017: price is 1e9 (17.50 to 17.75 in the good tables)
  id=120: price is nothing (120.50 to 120.75 in the good tables)
With these repaired as in good.csv, it passes; with any one of them left unrepaired, it does not.
"""


@pytest.fixture
def failing(bench):
    """The arguments that run a program on a failing table."""
    bad = GOOD.replace("fine", "all fine").replace(",17.50,", ",1e9,").replace(",120.50,", ",nothing,")
    for name, text in {"bad": bad, "good": GOOD, "better": GOOD.replace(".50,", ".75,")}.items():
        (bench.folder / f"{name}.csv").write_text(text)
    (bench.folder / "run.sh").write_text(PROGRAM)

    def arguments(*options: str, tables: tuple[str, ...] = ("bad.csv", "good.csv", "better.csv")) -> list[str]:
        return ["rows", *tables, "--key", "id", *options, "--", "sh", "run.sh", "{file}"]

    return arguments


def test_tables_and_a_command(bench, failing):
    done = bench.said(*failing("--repaired", "repaired.csv", "--report", "page.html"))
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith(ANSWER)
    assert "The repaired table is repaired.csv." in done.stdout
    repaired = (bench.folder / "repaired.csv").read_text()
    assert repaired == GOOD.replace("fine", "all fine")  # these cells and no other
    assert "price is 1e9" in (bench.folder / "page.html").read_text()
    assert "nothing was run now" in bench.said(*failing()).stdout


def test_as_json(bench, failing, capsys):
    assert bench.here(*failing("--json", "--columns", "price,note")) == 0
    said = json.loads(capsys.readouterr().out)
    assert (said["finding"], said["rows"], said["columns"]) == ("bad_rows", ["017", "120"], ["price"])


def test_the_papers_method_and_columns_that_explain_nothing(bench, failing, capsys):
    assert bench.here(*failing("--method", "opportunistic")) == 0
    assert "It passes with 2 of 200 rows repaired" in capsys.readouterr().out
    assert bench.here(*failing("--columns", "note", "--repaired", "x.csv")) == 0
    assert "these tables do not explain it" in capsys.readouterr().out
    assert not (bench.folder / "x.csv").exists()


def test_a_dry_run_runs_nothing(bench, failing, capsys):
    assert bench.here(*failing("--dry-run")) == 0
    said = capsys.readouterr().out
    assert "The tables differ in 202 places" in said
    assert said.count("run.sh") == 4


@pytest.mark.parametrize(
    ("tables", "options", "message"),
    [
        (("bad.csv",), (), "there is no good table"),
        (("bad.csv", "good.csv"), ("--columns", "cost"), "bad.csv has no column cost; it has id, day, price, note"),
        (("bad.csv", "bad.csv"), (), "are the same: there is nothing to repair"),
        (("bad.csv", "good.csv"), ("--repaired", "bad.csv"), "bad.csv is the bad table, which is never changed"),
        (("bad.csv", "good.csv"), ("--repaired", "repaired.xls"), "must end in .csv, .tsv or .parquet"),
        (("bad.csv", "none.csv"), (), "none.csv cannot be read as a table: No such file"),
    ],
)
def test_mistakes(bench, failing, capsys, tables, options, message):
    assert bench.here(*failing(*options, tables=tables)) == 2
    assert message in capsys.readouterr().err


def test_a_command_that_never_sees_the_table(bench, failing, capsys):
    assert bench.here("rows", "bad.csv", "good.csv", "--key", "id", "--", "cat") == 2
    assert "the command does not use the patched table: write {file}" in capsys.readouterr().err
    failing()
    assert bench.here("rows", "bad.csv", "good.csv", "--key", "id") == 2
    assert "there is no command: after --, give the command that fails with bad.csv" in capsys.readouterr().err

"""Environment variables are read from files, and secrets among them are not shown."""

import subprocess

import pytest

from rootward import InputError
from rootward.formats.environment import Variable, list_variables, read_variables


def read(tmp_path, text):
    (tmp_path / "it.env").write_text(text)
    return {variable.name: variable.value for variable in read_variables(tmp_path / "it.env")}


def test_the_output_of_env_is_read(tmp_path):
    own = {"A": "1", "LINES": "one\ntwo", "EMPTY": "", "BASH_FUNC_x%%": "() {  echo x;\n}", "QUOTE": '"'}
    for option in ([], ["-0"]):
        printed = subprocess.run(["/usr/bin/env", *option], env=own, capture_output=True, text=True, check=True).stdout
        assert read(tmp_path, printed) == own


def test_a_dotenv_file_is_read(tmp_path):
    text = "# comment\nexport A=1\n\nB=\"two words\"\r\nC='x'\nA=2\nD=a=b\n"
    assert read(tmp_path, text) == {"A": "2", "B": "two words", "C": "x", "D": "a=b"}


@pytest.mark.parametrize("text", ["no assignment\nA=1\n", "A=1\0B\0", "=1\n"])
def test_a_file_with_something_else_is_refused(tmp_path, text):
    with pytest.raises(InputError, match="expected NAME=VALUE"):
        read(tmp_path, text)


def test_variables_are_sorted_and_some_are_left_out():
    found = list_variables({"B": "1", "A": "2", "OWN": "3"}, without=["OWN"])
    assert found == [Variable("A", "2"), Variable("B", "1")]


@pytest.mark.parametrize(
    "name", ["DB_PASSWORD", "GITHUB_TOKEN", "MY_API_KEY", "apikey", "AWS_SECRET", "KEY", "NPM_AUTH"]
)
def test_a_secret_is_not_shown(name):
    variable = Variable(name, "hunter2")
    for shown in (str(variable), repr(variable), repr([variable]), variable.shell_word):
        assert "hunter2" not in shown
        assert name in shown


@pytest.mark.parametrize("name", ["PATH", "PWD", "HOME", "AUTHOR", "KEYBOARD", "PASSIVE"])
def test_other_values_are_shown(name):
    assert str(Variable(name, "x y")) == f"{name}=x y"
    assert Variable(name, "x y").shell_word == f"'{name}=x y'"


def test_a_password_in_an_address_is_not_shown():
    assert "hunter2" not in str(Variable("DATABASE_URL", "postgresql://me:hunter2@host/db"))

"""What the user says wins over what the study says, which wins over the defaults."""

import pytest

import rootward as rw
from rootward.cli.options import DEFAULT_STORE, Lab
from rootward.errors import InputError

STUDY = {"jobs": 4, "budget": rw.Budget(trials=200, seconds=600), "repeat": rw.Repeat.parse("1of4"), "store": "s.db"}


def options(lab: Lab, study=None):
    with lab.options(study or {}) as found:
        return found


def test_defaults():
    assert options(Lab()) == {"store": DEFAULT_STORE, "jobs": 1, "budget": rw.Budget(), "executor": None}


def test_a_study_says_more():
    assert options(Lab(), STUDY) == {**STUDY, "executor": None}


def test_the_command_line_has_the_last_word():
    found = options(Lab(jobs=2, budget=5, repeat="once", seed=7, store="c.db", fresh=True), STUDY)
    assert found["budget"] == rw.Budget(trials=5, seconds=600)
    assert (found["jobs"], found["seed"], found["store"], found["fresh"]) == (2, 7, "c.db", True)
    assert str(found["repeat"]) == "once"


def test_both_budgets():
    assert options(Lab(budget=5, seconds=1.5))["budget"] == rw.Budget(trials=5, seconds=1.5)


def test_an_address_needs_dask():
    with pytest.raises(InputError, match="needs --executor dask"):
        options(Lab(address="tcp://host:1", executor="threads"))

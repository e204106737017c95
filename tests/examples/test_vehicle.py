"""examples/vehicle: its interface, its bug, and the ten fields that matter. Its page is run by tests/docs."""

import copy
import importlib.util
import json
import math
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

import rootward as rw
from rootward.formats.interfaces import nest
from rootward.study import Study, load_study

VEHICLE = Path(__file__).parents[2] / "examples" / "vehicle"
SETS = {
    "M1.SystemConnected": [True],
    "M1.EStopButton": [False],
    "M1.IsStopped": [0],
    "M1.BrakeApplied": [True],
    "M1.CurrentGear": [0],
    "M1.MotorOn": [False],
    "M2.SystemConnected": [True],
    "M2.EStopButton": [False],
}
"""What triggers it, but for the two fields with many values: M0.InitialMode and M2.ActualSpeed."""


@pytest.fixture(scope="module")
def vehicle() -> ModuleType:
    spec = importlib.util.spec_from_file_location("vehicle", VEHICLE / "vehicle.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def study() -> Study:
    return load_study(VEHICLE / "study.toml")


@pytest.fixture
def recorded() -> dict:
    return json.loads((VEHICLE / "failing.json").read_text())


def test_there_are_1176_fields_in_three_messages(study):
    counts = [sum(name.startswith(f"M{n}.") for name in study.space.names) for n in range(3)]
    assert counts == [356, 410, 410]
    assert len(study.space) == 1176


def test_the_recorded_input_fails(vehicle, recorded):
    assert vehicle.check(recorded) == [2]


def test_a_forward_over_speed_is_stopped(vehicle, recorded):
    recorded["M2"]["ActualSpeed"] = 0.62
    assert vehicle.check(recorded) == []


def test_while_driving_the_limit_is_another_one(vehicle, recorded):
    drive = copy.deepcopy(recorded["M2"]) | {"ActualSpeed": 0.0, "MotorOn": True, "BrakeApplied": False}
    for speed, missed in {14.0: [], 16.0: [], -14.0: [], -16.0: [3]}.items():
        messages = recorded | {"M2": drive, "M3": recorded["M2"] | {"ActualSpeed": speed}}
        assert vehicle.check(messages) == missed


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf, 10**400, -(10**400), -0.0, 5e-324])
def test_exotic_numbers_are_judged_too(vehicle, recorded, value):
    recorded["M2"]["ActualSpeed"] = value
    assert vehicle.check(recorded) == ([2] if value < 0 else [])


def test_random_configurations_do_not_crash_it(vehicle, study):
    rng = np.random.default_rng(0)
    for _ in range(20):
        assert vehicle.check(nest(study.space.sample(rng))) in ([], [2])


@pytest.mark.rest
def test_ten_fields_matter(vehicle, study):
    @rw.fails_when
    def drives_on(configuration):
        return vehicle.check(nest(configuration)) != []

    found = rw.triggers(study.space, drives_on, study.failing)
    assert found.complete
    assert found.fits
    assert found.trials < 500
    assert set(found.sets) == {*SETS, "M0.InitialMode", "M2.ActualSpeed"}
    assert {name: list(found.sets[name]) for name in SETS} == SETS
    for name, triggers in {"M0.InitialMode": lambda mode: mode != 0, "M2.ActualSpeed": lambda speed: speed < 0}.items():
        tried = {study.failing[name], *study.space[name].values}
        assert set(found.sets[name]) == {value for value in tried if triggers(value)}

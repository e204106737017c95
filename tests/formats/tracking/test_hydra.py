"""Hydra's folders: what was said on the command line, what the configuration had, and the file of results."""

import json
import os

import pytest

from rootward.errors import InputError
from rootward.formats.tracking import hydra, yaml_file
from rootward.formats.tracking.registry import read_tracked
from rootward.formats.tracking.run import RunState

DAY_1, DAY_2 = 1711965600.0, 1712050200.0  # 2024-04-01 10:00:00 and 2024-04-02 09:30:00


def test_two_sweeps(multirun):
    runs = read_tracked(multirun, result="results.json").runs
    assert [run.id for run in runs] == [
        *[f"2024-04-01/10-00-00/{job}" for job in range(4)],
        *[f"2024-04-02/09-30-00/{job}" for job in (0, 2)],
    ]
    assert [run.finished for run in runs] == [DAY_1] * 4 + [DAY_2] * 2
    assert runs[3].settings == {"db": "mysql", "rate": 0.5, "warm": True, "layers": "[8, 8]", "extra": None}
    assert runs[5].settings == {"db": "sqlite", "rate": 0.1, "warm": False, "layers": "[8]", "extra": 1}
    assert runs[0].results == {"accuracy": 0.9, "time.fit": 1.5}
    assert (runs[3].state, runs[3].results) == (RunState.FAILED, {})


def test_the_choice_of_a_group_is_a_setting_and_not_what_it_consists_of(multirun):
    assert not any(
        name.startswith("db.") for run in read_tracked(multirun, result="results.json").runs for name in run.settings
    )


def test_one_sweep_has_only_what_was_said_in_it(multirun):
    runs = read_tracked(multirun / "2024-04-01", result="results.json").runs
    assert {frozenset(run.settings) for run in runs} == {frozenset({"db", "rate"})}


@pytest.fixture
def jobs(tmp_path):
    """Jobs with these overrides and configurations."""

    def make(*each):
        for number, (overrides, config) in enumerate(each):
            folder = tmp_path / "jobs" / str(number)
            (folder / ".hydra").mkdir(parents=True, exist_ok=True)
            (folder / ".hydra" / "overrides.yaml").write_text(json.dumps(overrides))
            (folder / ".hydra" / "config.yaml").write_text(json.dumps(config))
            (folder / "out.json").write_text("0.5")
            os.utime(folder / ".hydra" / "overrides.yaml", (1000 + number, 1000 + number))
        return tmp_path / "jobs"

    return make


def settings(folder):
    return [dict(run.settings) for run in hydra.read(folder, "out.json").runs]


def test_what_was_edited_between_two_jobs_is_a_setting(jobs):
    folder = jobs(([], {"a": {"b": 1, "c": 2}, "d": 3}), ([], {"a": {"b": 1, "c": 2.0}, "d": 3, "e": 4}))
    assert settings(folder) == [{"a.c": 2, "e": None}, {"a.c": 2.0, "e": 4}]


@pytest.mark.parametrize(
    ("overrides", "config", "found"),
    [
        (["+a.b=1"], {"a": {"b": 1}}, {"a.b": 1}),
        (["++a=true"], {"a": True}, {"a": True}),
        (["~a"], {}, {"a": None}),
        (["~a=1"], {}, {"a": None}),
        (["db@backup=mysql"], {"backup": {}}, {"db@backup": "mysql"}),
        (["db/engine=fast"], {}, {"db/engine": "fast"}),
        (["note='x=y'"], {"note": "x=y"}, {"note": "x=y"}),
        (["layers=[1,2]"], {"layers": [1, 2]}, {"layers": "[1, 2]"}),
    ],
)
def test_overrides(jobs, overrides, config, found):
    assert settings(jobs((overrides, config))) == [found]


def test_a_job_is_dated_by_its_files_if_no_folder_says_when(jobs):
    folder = jobs((["a=1"], {"a": 1}), (["a=2"], {"a": 2}))
    assert [run.finished for run in hydra.read(folder, "out.json").runs] == [1000, 1001]


RESULTS = [
    ("out.json", "0.5", {"result": 0.5}),
    ("out.json", '{"loss": 1e-5, "bad": NaN, "per": {"class": [1, 2]}}', {"loss": 1e-5, "per.class": "[1, 2]"}),
    ("out.yaml", "loss: 0.5\nok: true\n", {"loss": 0.5, "ok": True}),
    ("out.yaml", "[1, 2]", {"result": "[1, 2]"}),
]


@pytest.mark.parametrize(("name", "text", "results"), RESULTS)
def test_results(jobs, name, text, results):
    folder = jobs((["a=1"], {"a": 1}))
    (folder / "0" / name).write_text(text)
    [run] = hydra.read(folder, name).runs
    assert {key: value for key, value in run.results.items() if value == value} == results


BROKEN = [
    (".hydra/overrides.yaml", "a: 1", "overrides.yaml: expected a list such as"),
    (".hydra/overrides.yaml", "['']", "expected an override such as rate=0.1, got ''"),
    (".hydra/config.yaml", "[1]", r"config.yaml: expected a mapping such as rate: 0.1, got \[1\]"),
    (".hydra/config.yaml", "", "config.yaml: expected a mapping"),
    (
        ".hydra/config.yaml",
        "a: !!python/object:os.system x",
        "config.yaml is not YAML: could not determine a constructor",
    ),
    (".hydra/config.yaml", "a: &a [*a]", "config.yaml (has more than|is not YAML)"),
    ("out.json", "{", "out.json is not JSON"),
    ("out.json", "\x00", "out.json is not JSON"),
]


@pytest.mark.parametrize(("name", "text", "said"), BROKEN)
def test_broken_files(jobs, name, text, said):
    folder = jobs((["a=1"], {"a": 1}))
    (folder / "0" / name).write_text(text)
    with pytest.raises(InputError, match=said):
        read_tracked(folder, result="out.json")


def test_a_file_that_is_larger_than_it_looks(tmp_path):
    lines = ["a0: &a0 [x, x]", *(f"a{n}: &a{n} [*a{n - 1}, *a{n - 1}]" for n in range(1, 40))]
    (tmp_path / "bomb.yaml").write_text("\n".join(lines))
    with pytest.raises(InputError, match="has more than 100,000 values"):
        yaml_file.read(tmp_path / "bomb.yaml", dict)


def test_a_config_that_is_gone(jobs):
    folder = jobs((["a=1"], {"a": 1}))
    (folder / "0" / ".hydra" / "config.yaml").unlink()
    with pytest.raises(InputError, match=r"config\.yaml cannot be read: No such file"):
        read_tracked(folder, result="out.json")


def test_results_must_be_somewhere(multirun, tmp_path):
    with pytest.raises(InputError, match=r"Hydra stores no results: set result to the name of the file with them"):
        read_tracked(multirun)
    with pytest.raises(InputError, match=r"none of the 6 jobs in .* has a file out\.json"):
        read_tracked(multirun, result="out.json")
    with pytest.raises(InputError, match="has no Hydra jobs"):
        hydra.read(tmp_path / "nothing", "out.json")

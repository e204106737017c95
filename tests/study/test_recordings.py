"""[traces]: a model and recordings, which are only looked at; and mistakes in it."""

from pathlib import Path

import pytest

from rootward import InputError, StudyError
from rootward.study import Study, load_study

ROOT = Path(__file__).parents[2]
MODEL, TRACES = ROOT / "examples" / "models" / "uds_basic.yaml", ROOT / "tests" / "data" / "traces"


def studied(folder: Path, text: str) -> Study:
    (folder / "night").mkdir(parents=True, exist_ok=True)
    (folder / "model.yaml").write_text(MODEL.read_text())
    for name in ("good.asc", "bad_s3.asc"):
        (folder / "night" / name).write_bytes((TRACES / name).read_bytes())
    (folder / "study.toml").write_text(text)
    return load_study(folder / "study.toml")


TEXT = """\
[traces]
model = "model.yaml"
files = ["night/*.asc"]
params = { S3 = "500ms" }
ecus = { Body = "7E0/7E8", Gateway = "1001" }
[lab]
jobs = 2
"""


def test_recordings_and_nothing_to_run(tmp_path):
    folder = tmp_path / "a [strange] folder"
    study = studied(folder, TEXT)
    assert study.traces is not None
    assert [name for _, name in study.traces.files] == ["bad_s3.asc", "good.asc"]
    assert study.traces.ecus == {"Body": (0x7E0, 0x7E8), "Gateway": 0x1001}
    assert study.lab == {"jobs": 2}
    assert [trace.name for trace in study.traces] == ["bad_s3.asc", "good.asc"]
    with pytest.raises(InputError, match=r"study\.toml has only recordings and no \[subject\] to run"):
        study.subject.run({}, seed=0, place=tmp_path)


def test_a_folder_is_all_that_is_in_it(tmp_path):
    study = studied(tmp_path, '[traces]\nmodel = "model.yaml"\nfiles = "night"\n')
    assert study.traces is not None
    assert len(study.traces) == 2
    assert study.traces.ecus is None, "the usual ids"


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('model = "model.yaml"\n', "", "1: traces.model: missing: expected the path of a model"),
        ('"model.yaml"', '"gone.yaml"', "2: traces.model: FOLDER/gone.yaml"),
        (
            '"model.yaml"',
            '"night/good.asc"',
            "2: traces.model: FOLDER/night/good.asc: unknown kind of model file; expected .yaml",
        ),
        ('"500ms"', '"soon"', "2: traces.model: "),
        ('params =', 'variant = "a"\nparams =', "2: traces.model: FOLDER/model.yaml: only ODX models have variants"),
        ("night/*.asc", "day/*.asc", "3: traces.files: FOLDER/day/*.asc does not exist"),
        ('["night/*.asc"]', "[]", "3: traces.files: expected a string or a list of strings, got []"),
        ('"7E0/7E8"', '"front"', "5: traces.ecus: Body=front: expected a name and two CAN ids, such as Body=7E0/7E8"),
        ("Body =", '"B C" =', "5: traces.ecus: the name of an ECU must be one word, got 'B C'"),
        ("[lab]", '[fields]\na = "bool"\n[lab]', "6: fields: not allowed beside [traces]"),
        ("[lab]", '[subject]\nfunction = "os:stat"\n[lab]', "6: subject: not allowed beside [traces]"),
        ("params", "parms", "4: traces.parms: unknown key; did you mean 'params'?"),
    ],
)  # fmt: skip
def test_mistakes(tmp_path, old, new, message):
    assert old in TEXT
    with pytest.raises(StudyError) as error:
        studied(tmp_path, TEXT.replace(old, new))
    assert f"study.toml:{message}".replace("FOLDER", str(tmp_path)) in str(error.value)

"""``rootward diagnose`` of recordings and of tables, from the words typed to the report."""

import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
TRACES = f"""[traces]
model = "{ROOT / "examples" / "models" / "uds_basic.yaml"}"
files = "{ROOT / "tests" / "data" / "traces" / "*.asc"}"
params = {{ S3 = "500ms" }}
"""


def test_recordings_are_examined_in_processes(bench, tmp_path, capfd):
    (tmp_path / "night.toml").write_text(TRACES)
    assert bench.here("diagnose", "night.toml", "--jobs", "2") == 0
    said = capfd.readouterr().out
    assert "It behaves as if timer S3 never ran out.\n" in said
    assert said.endswith("\nNothing was run.\nThe report is night.diagnosis/page.html.\n")
    assert bench.here("diagnose", "night.toml", "--explain-plan") == 0
    assert "There is a model and 4 recordings" in capfd.readouterr().out


def test_a_mistake_in_a_table_is_told_before_anything_is_run(bench, tmp_path, capfd):
    for name in ("bad.csv", "good.csv"):
        (tmp_path / name).write_text("id,x\n1,2\n")
    (tmp_path / "study.toml").write_text(
        f'[subject]\ncommand = ["{sys.executable}", "{{file}}"]\n'
        '[data]\nbad = "bad.csv"\ngood = "good.csv"\nkey = "id"\n'
    )
    assert bench.here("diagnose", "study.toml") == 2
    expected = "study.toml:3: data: bad.csv and good.csv are the same: there is nothing to repair"
    assert expected in capfd.readouterr().err

"""``rootward model learn``, from the words typed to the exit code."""

import json
from pathlib import Path

from tests.traces.learning.unit import recordings


def write(folder: Path, count: int) -> None:
    """Write recordings as JSON lines."""
    folder.mkdir()
    for trace in recordings(count):
        lines = [
            {"time_us": one.time, "kind": one.kind, "ecu": one.ecu, "operation": one.operation, "payload": one.payload}
            for one in trace.events
        ]
        (folder / f"{trace.name.replace(' ', '_')}.jsonl").write_text("\n".join(map(json.dumps, lines)))


def test_a_model_is_written_that_accepts_the_recordings(bench, capfd):
    write(bench.folder / "good", 10)
    assert bench.here("model", "learn", "good", "-o", "unit.yaml") == 0
    said = capfd.readouterr().out
    assert said.startswith("Learned from 10 recordings with ")
    assert "The model is unit.yaml." in said
    assert bench.here("model", "check", "unit.yaml") == 0
    assert bench.here("triage", "good", "--model", "unit.yaml") == 0


def test_a_file_that_exists_is_not_replaced_unless_its_lines_are_kept(bench, capfd):
    write(bench.folder / "good", 3)
    file = bench.folder / "unit.yaml"
    assert bench.here("model", "learn", "good", "-o", "unit.yaml") == 0
    corrected = file.read_text().replace("model: unit\n", "model: my unit  # keep\n")
    file.write_text(corrected)
    assert bench.here("model", "learn", "good", "-o", "unit.yaml") == 2
    assert "add --keep unit.yaml" in capfd.readouterr().err
    assert file.read_text() == corrected
    assert bench.here("model", "learn", "good", "-o", "unit.yaml", "--keep", "unit.yaml") == 0
    assert "Kept of unit.yaml: line 3." in capfd.readouterr().out
    assert "model: my unit  # keep" in file.read_text()


def test_only_yaml_can_be_written(bench, capfd):
    assert bench.here("model", "learn", "good", "-o", "unit.xml") == 2
    assert "ends in .yaml" in capfd.readouterr().err

"""The tables of a study file, as pydantic models. The description of a key becomes part of its error message."""

from __future__ import annotations

import datetime
from collections.abc import Callable
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from rootward.space import space

SOME_VALUES = "a list of values"
A_NUMBER = "a number"
AN_INTEGER = "an integer"
TEXT = "a string"
Members = list[Any]  # inside ElementsSection, the key `list` hides the type


class Section(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class StudyDocument(Section):
    name: str | None = Field(None, description=TEXT)
    subject: dict[str, Any] | None = Field(None, description="a table [subject], which says what to run")
    fields: dict[str, Any] | None = Field(None, description="a table [fields]")
    interface: dict[str, Any] | None = Field(None, description="a table [interface]")
    derived: dict[str, Any] | None = Field(None, description="a table [derived]")
    failing: dict[str, Any] | str | None = Field(None, description="a table [failing], or the path of a JSON file")
    nominal: dict[str, Any] | str | Members | None = Field(
        None, description="a table [nominal], the path of a JSON file, or a list of these"
    )
    elements: dict[str, Any] | None = Field(None, description="a table [elements]")
    history: dict[str, Any] | None = Field(None, description="a table [history]")
    pipeline: dict[str, Any] | None = Field(None, description="a table [pipeline]")
    data: dict[str, Any] | None = Field(None, description="a table [data]")
    traces: dict[str, Any] | None = Field(None, description="a table [traces]")
    constraints: dict[str, Any] | None = Field(None, description="a table [constraints]")
    lab: dict[str, Any] | None = Field(None, description="a table [lab]")


class SubjectSection(Section):
    command: list[str] | str | None = Field(
        None, description='a list of strings such as ["./run.sh", "{config}"], or one string with shell = true'
    )
    function: str | None = Field(None, description='a string such as "package.module:name"')
    timeout: float | None = Field(None, gt=0, allow_inf_nan=False, description="a number of seconds above 0")
    memory: str | int | None = Field(None, description='an amount of memory such as "512M"')
    cwd: str | None = Field(None, description="the path of a folder")
    env: dict[str, str] = Field({}, description='a table of strings such as { MODE = "slow" }')
    verdict: str | None = Field(None, description="a regular expression, or a path such as $.result.status")
    signature: str | None = Field(None, description="a regular expression, or a path such as $.result.error")
    measures: str | None = Field(None, description="a path such as $.measures")
    tolerance: dict[str, float] = Field({}, description="a table of numbers such as { x = 0.3, y = 0.3 }")
    shell: bool = Field(False, description="true or false")
    files: list[str] = Field([], description='a list of names or patterns such as ["data/*.csv"]')
    sandbox: bool = Field(False, description="true or false")


COMMAND_ONLY = {"cwd", "env", "verdict", "signature", "measures", "tolerance", "shell", "files", "sandbox"}


A_DESCRIPTION = "the path of a file, or a list of them for a sequence of messages"
A_CLASS = 'a string such as "package.module:Name", or a list of them for a sequence of messages'


class InterfaceSection(Section):
    json_schema: str | Members | None = Field(None, description=A_DESCRIPTION)
    document: str | Members | None = Field(None, description=A_DESCRIPTION)
    csv: str | Members | None = Field(None, description=A_DESCRIPTION)
    ros: str | Members | None = Field(
        None, description="the name of a message type, the path of a .msg file, or a list of them for a sequence"
    )
    protobuf: str | Members | None = Field(None, description=A_CLASS)
    dataclass: str | Members | None = Field(None, description=A_CLASS)
    pydantic: str | Members | None = Field(None, description=A_CLASS)
    lengths: dict[str, Any] = Field({}, description="a table of lengths such as { points = 3 }")


class ElementsSection(Section):
    file: str | None = Field(None, description="the path of a file")
    by: Literal["lines", "chars", "tokens", "json", "yaml", "xml", "rows", "models", "messages"] | None = Field(
        None, description="lines, chars, tokens, json, yaml, xml, rows, models or messages"
    )
    timing: Literal["keep", "close"] = Field("keep", description='"keep" or "close"')
    list: Members | None = Field(None, description="a list of elements")
    keep: Members = Field([], description="a list of names or patterns")


class HistorySection(Section):
    file: str | None = Field(None, description="the path of a CSV, Parquet or JSON lines file")
    source: str | None = Field(None, description="the path or URL of a tracker")
    kind: Literal["mlflow", "optuna", "hydra"] | None = Field(None, description="mlflow, optuna or hydra")
    experiment: str | None = Field(None, description="the name of an MLflow experiment")
    study: str | None = Field(None, description="the name of an Optuna study")
    result: str | None = Field(None, description="the name of a file in the folder of each Hydra job")
    verdict: str | None = Field(None, description='the name of a column, or a comparison such as "score < 0.6"')
    ignore: Members = Field([], description="a list of names of columns")
    time: str | None = Field(None, description="the name of a column")
    as_of: datetime.datetime | datetime.date | str | None = Field(None, description="a date such as 2024-04-01")
    store: bool = Field(False, description="true or false")


HISTORY_KEYS = {
    "file": {"verdict", "ignore", "time", "as_of"},
    "source": {"verdict", "ignore", "as_of", "kind", "experiment", "study", "result"},
    "store": {"as_of"},
}
"""The keys that name the source of a history, and the other keys allowed with each."""


class PipelineSection(Section):
    graph: str = Field(
        description="the path of a JSON file, which says which nodes each node feeds and which settings it reads"
    )
    checks: str | Members | None = Field(None, description="a node that has a check, or a list of them")


class DataSection(Section):
    bad: str = Field(description="the path of a table with which it fails")
    good: str | Members = Field(description="the path of a table with which it passes, or a list of them")
    key: str | Members = Field(description="the column that identifies a row, or a list of columns")
    columns: str | Members | None = Field(None, description="a column, or a list of columns")


class TracesSection(Section):
    model: str = Field(description="the path of a model: YAML, UPPAAL (.xml) or ODX (.odx, .pdx)")
    files: str | Members = Field(description='the path of a recording or of a folder, "runs/*.asc", or a list of these')
    params: dict[str, Any] = Field({}, description='a table of parameters of the model such as { S3 = "500ms" }')
    ecus: dict[str, str] = Field({}, description='a table of CAN ids such as { Body = "7E0/7E8" }')
    variant: str | None = Field(None, description="the name of an ECU variant of an ODX file")


class ConstraintsSection(Section):
    never: Members = Field([], description='a list of combinations such as { solver = "lbfgs", penalty = "l1" }')


class LabSection(Section):
    jobs: int = Field(1, ge=1, description="an integer of at least 1")
    trials: int | None = Field(None, ge=0, description="a number of trials, 0 or more")
    seconds: float | None = Field(None, ge=0, allow_inf_nan=False, description="a number of seconds, 0 or more")
    repeat: str | None = Field(None, description='"once", "1of4" or "sprt:0.5,0.1,0.05"')
    seed: int = Field(0, description=AN_INTEGER)
    store: str | None = Field(None, description="the path or URL of a store")


class BoolEntry(Section):
    pass


class IntEntry(Section):
    lo: int | None = Field(None, description=AN_INTEGER)
    hi: int | None = Field(None, description=AN_INTEGER)
    bits: int = Field(32, description=AN_INTEGER)
    signed: bool = Field(True, description="true or false")
    values: list[int] | None = Field(None, description="a list of integers")


class FloatEntry(Section):
    lo: float | None = Field(None, description=A_NUMBER)
    hi: float | None = Field(None, description=A_NUMBER)
    bits: int = Field(64, description="32 or 64")
    step: float | None = Field(None, description="a number above 0")
    values: list[float] | None = Field(None, description="a list of numbers")


class ListedEntry(Section):
    values: list[Any] = Field(description=SOME_VALUES)


class TextEntry(Section):
    values: list[str] | None = Field(None, description="a list of strings")


KINDS: dict[str, tuple[type[Section], Callable[..., space.Field]]] = {
    "bool": (BoolEntry, space.Bool),
    "int": (IntEntry, space.Int),
    "float": (FloatEntry, space.Float),
    "choice": (ListedEntry, space.Choice),
    "ordinal": (ListedEntry, space.Ordinal),
    "text": (TextEntry, space.Text),
}

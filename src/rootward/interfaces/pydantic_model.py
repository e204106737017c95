"""Pydantic models: their fields, with the constraints that pydantic itself enforces.

The values are those of JSON (an enumeration stands for its members' values) under the names that the model validates,
so that ``model.model_validate(nest(configuration))`` accepts what is tried.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rootward.errors import InputError
from rootward.fields import show
from rootward.interfaces import dataclass
from rootward.interfaces.annotations import Member, Members, Reader
from rootward.interfaces.shapes import Lengths, build
from rootward.space import Space

if TYPE_CHECKING:
    from pydantic import BaseModel
    from pydantic.fields import FieldInfo


def from_pydantic(model: type[BaseModel], *, lengths: Lengths | None = None) -> Space:
    """The space of a pydantic (version 2) model's fields.

    As `from_dataclass`; also ``ge``, ``gt``, ``le``, ``lt`` (exact, for integers and floats), ``min_length``,
    ``max_length``, ``pattern`` and ``allow_inf_nan``, wherever they are given. Defaults and examples are among the
    values to try. A field with an alias has that name.
    """
    if not _is_model(model):
        raise InputError(f"from_pydantic needs a pydantic model class, not {show(model)}")
    return build(Reader(_members, python=False).read(model, ""), lengths)


def _is_model(model: object) -> bool:
    from pydantic import BaseModel

    return isinstance(model, type) and issubclass(model, BaseModel)


def _members(cls: type) -> Members:
    from pydantic import BaseModel, RootModel

    if not issubclass(cls, BaseModel):
        return dataclass.members(cls)
    finite = [_Finite] if cls.model_config.get("allow_inf_nan") is False else []
    members = [_member(name, info, finite) for name, info in cls.model_fields.items()]
    return members[0] if issubclass(cls, RootModel) else members


class _Finite:
    """What ``model_config`` says of every float, in the form of metadata."""

    allow_inf_nan = False


def _member(name: str, info: FieldInfo, metadata: list[Any]) -> Member:
    from pydantic_core import PydanticUndefined

    default = [] if info.default is PydanticUndefined else [info.default]
    alias = info.validation_alias if isinstance(info.validation_alias, str) else info.alias
    return Member(alias or name, info.annotation, [*info.metadata, *metadata], [*default, *(info.examples or [])])

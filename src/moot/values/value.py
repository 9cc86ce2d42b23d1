"""The frozen value everything stored, sent or asked of a model is made of, and the ids that must not be mixed up."""

from typing import NewType

from pydantic import BaseModel, ConfigDict

RunId = NewType("RunId", str)
"""10 characters of 0123456789abcdefghjkmnpqrstvwxyz."""

Key = NewType("Key", str)
"""Where in a run something happened: `investigate#1/2/model#3`."""

Mark = NewType("Mark", str)
"""A source's mark, made from its address: `S7f3a`."""

QuestionId = NewType("QuestionId", str)
"""`q_` and 16 characters; made of the run's id and the key."""


class Value(BaseModel):
    """A frozen value. An unknown field is an error; equality is by content."""

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)  # built at its first use: starts are fast


class Output(Value):
    """A value that a model is asked for: the string beneath a field is what the model is told of it."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True, defer_build=True)

"""How lists of a state fold where a team does not say otherwise in its own words."""

from typing import TypeVar

T = TypeVar("T")


def replaced(old: list[T], new: list[T]) -> list[T]:
    """The new list in the old one's place."""
    return new

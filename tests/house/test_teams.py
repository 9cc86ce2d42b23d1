"""Every team: what its state may hold comes back from a checkpoint, and its drawing equals its golden."""

import operator
import types
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Annotated, Any, Literal, NewType, Union, get_args, get_origin, get_type_hints

import pytest
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer
from pydantic import ValidationError

from moot.app.parts import team, team_names
from moot.patterns.team import Team
from moot.run.code import values_of
from moot.run.picture import mermaid
from moot.values.plans import Step
from moot.values.value import Value
from tests.golden import assert_golden
from tests.house.states import wrong_fields, wrong_kind


@pytest.fixture(params=team_names())
def any_team(request: pytest.FixtureRequest) -> Team:
    return team(str(request.param))


def test_a_state_holds_only_what_a_checkpoint_brings_back(any_team: Team) -> None:
    assert list(wrong_fields(any_team.graph(any_team.options()).state)) == []


def test_a_filled_state_comes_back_as_it_went(any_team: Team) -> None:
    state = any_team.graph(any_team.options()).state
    serializer = JsonPlusSerializer(allowed_msgpack_modules=values_of(state))
    for name, kind in get_type_hints(state, include_extras=True).items():
        for filled in samples(kind):
            assert serializer.loads_typed(serializer.dumps_typed(filled)) == filled, name


def test_every_node_can_be_reached_and_every_target_is_drawn(any_team: Team) -> None:
    graph = any_team.graph(any_team.options())
    targets = {target for _, target in graph.edges} | {t for _, found in graph.choosers.values() for t in found}
    assert set(graph.nodes) <= targets
    assert targets <= {*graph.nodes, "__end__"}
    left = {source for source, _ in graph.edges} | set(graph.choosers)
    assert left == {*graph.nodes, "__start__"}


def test_a_drawing_equals_its_golden(any_team: Team) -> None:
    assert_golden(f"teams/{any_team.name}.mmd", mermaid(any_team.graph(any_team.options())))


def test_research_has_nine_nodes() -> None:
    assert len(team("research").graph(team("research").options()).nodes) == 9


@pytest.mark.parametrize(
    ("kind", "wrong"),
    [
        (Step, ""),
        (str | None, ""),
        (Literal["a", "b"], ""),
        (Annotated[list[Step], operator.add], ""),
        (Annotated[list[Step | str], operator.add], ""),
        (list[Step], "is a list that does not say how it folds"),
        (dict[str, str], "is dict[str, str]"),
        (tuple[str, ...], "is tuple[str, ...]"),
        (Annotated[list[Step], sorted], "folds by something that is neither"),
        (Annotated[list[dict[str, str]], operator.add], "is dict[str, str]"),
        (Annotated[str, operator.add], "says how it folds, and is no list"),
        (datetime, "is <class 'datetime.datetime'>"),
        (Any, "is typing.Any"),
    ],
)
def test_a_field_that_would_not_come_back_is_named(kind: object, wrong: str) -> None:
    found = list(wrong_kind(kind))
    assert bool(found) == bool(wrong)
    assert all(one.startswith(wrong) for one in found)


def samples(kind: object) -> Sequence[object]:
    """Some values of a kind, each alternative of a union once."""
    if isinstance(kind, NewType):
        return samples(kind.__supertype__)
    origin, inner = get_origin(kind), get_args(kind)
    if origin is Annotated:
        return samples(inner[0])
    if origin in (Union, types.UnionType):
        return [value for part in inner for value in samples(part)]
    if origin is Literal:
        return inner
    if origin is list:
        return [list(samples(inner[0]))]
    if origin is tuple:
        return [tuple(value for part in inner if part is not Ellipsis for value in samples(part)[:1])]
    if origin is not None and issubclass(origin, dict):
        return [{}]
    if isinstance(kind, type) and issubclass(kind, Value):
        return [filled(kind)]
    plain: dict[object, Sequence[object]] = {
        str: ["", "words, 词 \N{SNOWMAN}"], int: [0, 2**62], float: [0.5], bool: [True], types.NoneType: [None],
        datetime: [datetime(2026, 1, 2, tzinfo=UTC)],
    }  # fmt: skip
    return plain.get(kind, [None])


def filled(kind: type[Value]) -> Value:
    """A value with something in every field that takes it."""
    given: dict[str, object] = {}
    for name, field in kind.model_fields.items():
        fitting = [candidate for candidate in samples(field.annotation) if _fits(kind, name, candidate)]
        if fitting:
            given[name] = fitting[-1]
    return kind.model_validate(given)


def _fits(kind: type[Value], name: str, candidate: object) -> bool:
    try:
        kind.__pydantic_validator__.validate_assignment(kind.model_construct(), name, candidate)
    except ValidationError as unfit:
        return not any(error["loc"][:1] == (name,) for error in unfit.errors())
    return True

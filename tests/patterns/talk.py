"""What tests of roles share: two kinds of papers, and doors with a model that is paid for."""

from collections.abc import Sequence
from dataclasses import replace

from moot.models.chosen import ChosenModels
from moot.models.priced import Priced
from moot.models.prices import Price
from moot.models.scripted import Line, ScriptedModel
from moot.run.doors import Doors
from moot.values.value import Value


class Speech(Value):
    words: str


class Paper(Value):
    words: str


def with_model(doors: Doors, lines: Sequence[Line] | None, price: str = "") -> Doors:
    if lines is None:
        return doors
    model = ScriptedModel(lines)
    played = Priced(model, Price.model_validate(price)) if price else model
    return replace(doors, models=ChosenModels({"fast": played, "strong": played}))

"""Which model plays which role, by what the settings and flags named. No name at all: understudies play everything."""

from collections.abc import Callable, Mapping
from pathlib import Path

from moot.models.port import Model
from moot.models.scripted import open_script
from moot.values.errors import SettingWrong
from moot.values.messages import Tier

TIERS: tuple[Tier, ...] = ("fast", "strong", "vision")
_OTHER: dict[Tier, Tier] = {"fast": "strong", "strong": "fast"}
_BUILDERS: dict[str, Callable[[str], Model]] = {"scripted": lambda rest: open_script(Path(rest))}
"""By provider: how a model is opened from what follows the first `:`."""


class ChosenModels:
    """Implements `Models`: a team's role, else a role, else the role's tier; an unset tier falls to the other."""

    def __init__(self, chosen: Mapping[str, Model] | None = None) -> None:
        """`chosen`: models by tier (`fast`), by role (`planner`) or by a team's role (`research.planner`)."""
        self._chosen = dict(chosen or {})

    def of(self, team: str, role: str, tier: Tier) -> Model | None:
        """The model that plays a role; None: its understudy does."""
        names = [f"{team}.{role}", role, tier, *([_OTHER[tier]] if tier in _OTHER else [])]
        return next((self._chosen[name] for name in names if name in self._chosen), None)

    @property
    def named(self) -> str:
        """What answers, for a person: `fast a:b · strong c:d`; `` when nothing was chosen."""
        return " · ".join(f"{what} {model.name}" for what, model in sorted(self._chosen.items()))


def choose(names: Mapping[str, str]) -> ChosenModels:
    """Opens the models named by tier, role or team's role; two that are named alike are one. Raises SettingWrong."""
    opened: dict[str, Model] = {}
    chosen: dict[str, Model] = {}
    for what, name in names.items():
        if name not in opened:
            opened[name] = _opened(what, name)
        chosen[what] = opened[name]
    return ChosenModels(chosen)


def _opened(what: str, name: str) -> Model:
    provider, colon, rest = name.partition(":")
    if not colon or not rest:
        raise SettingWrong(
            f"setting_wrong: models.{what} is {name!r}; a model is named provider:model, "
            f"such as openai:{name or 'gpt-5'}."
        )
    if provider not in _BUILDERS:
        known = ", ".join(sorted(_BUILDERS))
        raise SettingWrong(
            f"setting_wrong: models.{what} is {name!r}; the provider {provider!r} is not there yet. Known: {known}. "
            "Leave it out, and understudies play."
        )
    return _BUILDERS[provider](rest)

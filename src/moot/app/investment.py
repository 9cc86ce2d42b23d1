"""What a team's runs may spend where a person named no limit of money: the investment that the team itself asks for."""

from moot.app.asked import Asked
from moot.app.settings import Settings
from moot.models.prices import unpriced
from moot.patterns.team import Team
from moot.values.usage import Limits


def limits_of(team: Team, settings: Settings, asked: Asked) -> Limits:
    """The limits of a run. All of an investment may be spent: such a team keeps nothing back for a report.

    A model whose price nobody knows costs nothing that could be counted, so there only a person's own limit counts.
    """
    limits = settings.limits()
    if team.investment_usd is None:
        return limits
    whole = limits.model_copy(update={"keep_back": 0.0, "keep_back_calls": 0})
    if limits.usd_micro is not None or next(unpriced(asked.models, asked.prices), None) is not None:
        return whole
    return whole.model_copy(update={"usd_micro": round(team.investment_usd * 1_000_000)})

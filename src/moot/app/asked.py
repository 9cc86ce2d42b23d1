"""What a run is asked for, kept in its row: whoever goes on with it asks the same. Putting it together: starting.py."""

import re
import secrets
from collections.abc import Collection, Mapping
from datetime import UTC, datetime
from difflib import get_close_matches
from typing import Literal

from pydantic import JsonValue

from moot.app.home import typed_path
from moot.app.settings import Settings
from moot.models.chosen import TIERS, Own
from moot.models.named import Named
from moot.models.prices import Price, unpriced
from moot.patterns.team import Team
from moot.patterns.understudies.routing import small_talk
from moot.sandbox.tiers import Chosen
from moot.text.arithmetic import arithmetic
from moot.text.clean import clean
from moot.text.language import normal_locale
from moot.values.errors import SettingWrong
from moot.values.outside import Granted
from moot.values.runs import Judging, Style
from moot.values.usage import Limits
from moot.values.value import RunId, Value

LONGEST_QUESTION = 20_000
_ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"
_LINK = re.compile(r"https?://[^\s<>\"'“”‘’（）()\[\]，。、；]+")


class Asked(Value):
    """A run's settings as its row keeps them. It names files and models, and holds no secret."""

    docs: tuple[str, ...] = ()
    """As given, paths made absolute."""
    resources: tuple[str, ...] = ()
    """Addresses of those collections, named in prompts: `docs://python`."""
    web: bool = False
    engines: tuple[str, ...] = ()
    """That search it, by name. Where a run may go at all is the operator's to say, and kept with no run."""
    offline: bool = False
    no_browser: str = ""
    """Why no page of the web is opened in a browser, as it was when the run was begun."""
    outside: tuple[Granted, ...] = ()
    """Outside servers that it may use, and what they offered when it was started."""
    tiers: dict[str, Chosen] = {}
    """By tool: the sandbox that its code runs in, as it was chosen when the run was begun."""
    models: dict[str, Named] = {}
    """By tier, role or team's role; empty: understudies play every role."""
    prices: dict[str, Price] = {}
    """What a person says that models cost, by pattern of provider:model."""
    profiles: dict[str, dict[str, JsonValue]] = {}
    """What a person says that models can do, by the same."""
    locale: str = ""
    style: Style = "academic"
    yes: bool = False
    wait_seconds: float | None = None
    on_timeout: Literal["cancel", "accept"] = "cancel"
    approve: tuple[str, ...] = ()
    repair: int = 1
    judge: Judging = "other_language"
    history: str = ""
    workspace: str = ""
    """A folder that a person gave, for agents to work in; ``: the run's own."""
    options: dict[str, JsonValue] = {}
    """The team's own."""

    @property
    def own(self) -> Own:
        """What a person says of models."""
        return Own(self.prices, self.profiles)


def checked_question(question: str) -> str:
    """The question as it is kept. Raises SettingWrong when it is empty or too long."""
    kept = clean(question)
    if not any(sign.isprintable() and not sign.isspace() for sign in kept):
        raise SettingWrong(
            "the question is empty: say what is to be found out.", chinese="问题是空的：请说明要查什么。"
        )
    if len(kept) > LONGEST_QUESTION:
        raise SettingWrong(
            f"the question has {len(kept):,} characters, {LONGEST_QUESTION:,} at most: give a long text with --docs.",
            chinese=f"问题有 {len(kept):,} 个字符，最多 {LONGEST_QUESTION:,} 个：较长的文本请用 --docs 给出。",
        )
    return kept


def checked_locale(locale: str) -> str:
    """A locale in its usual form; `` stays. Raises SettingWrong."""
    if not locale:
        return ""
    normal = normal_locale(locale)
    if normal is None:
        raise SettingWrong(
            f"--locale {locale}: is no language. Write it as en-US or zh-CN.",
            chinese=f"--locale {locale}：不是语言代号，请写成 en-US 或 zh-CN。",
        )
    return normal


def checked_settings(settings: Settings) -> None:
    """Raises SettingWrong for what this version does not hold yet."""
    if settings.db:
        raise SettingWrong(
            f"MOOT_DB {settings.db}: other databases come with a later version. Leave it empty: runs are kept in the "
            "data folder.",
            chinese=f"MOOT_DB {settings.db}：其他数据库随后续版本推出。请留空，运行记录保存在数据目录中。",
        )


def check_source(team: Team, question: str, asked: Asked) -> None:
    """Raises SettingWrong(no_source) when a team that needs sources has none. A mere sum and a greeting need none."""
    has_any = asked.docs or asked.web or asked.outside
    if team.needs_source and not has_any and arithmetic(question) is None and small_talk(question) is None:
        way, chinese_way = (
            ("leave --offline out", "去掉 --offline")
            if asked.offline
            else ("turn the web on with --web", "用 --web 开启联网")
        )
        raise SettingWrong(
            "no_source: there is nothing to search: the web is off and no documents are given. Give --docs PATH, or "
            f"--docs python for a trial, or {way}.",
            code="no_source",
            chinese="no_source：没有可供检索的来源：联网已关闭，也没有给出文档。请用 --docs PATH 给出文档，"
            f"或用 --docs python 试用，或{chinese_way}。",
        )


def check_prices(asked: Asked, limits: Limits, *, place: str = "--max-usd") -> None:
    """Raises SettingWrong when money is limited and a model's price is not known, so that it could not be held to."""
    name = next(unpriced(asked.models, asked.prices), None)
    if limits.usd_micro is not None and name is not None:
        raise SettingWrong(
            f"{place}: the price of {name} is not known, so dollars cannot be counted. Name it, in dollars a million "
            f"tokens: --price {name}=IN/OUT. Or limit tokens instead, with --max-tokens.",
            chinese=f"{place}：不知道 {name} 的价格，无法按美元计算。请用 --price {name}=IN/OUT 给出"
            "（美元每百万 token），或改用 --max-tokens 限制 token 数。",
        )


def named_models(settings: Settings, *, place: str = "--model", roles: Collection[str] = ()) -> dict[str, Named]:
    """Models by tier, role or team's role; `--model` wins. Raises SettingWrong for one that names nothing.

    `place`: where the pairs were given. `roles`: those there are; none: any is taken.
    """
    if settings.no_model:
        return {}
    named = {"fast": settings.fast, "strong": settings.strong, "vision": settings.vision, **settings.roles}
    for pair in settings.model:
        what, equals, name = (part.strip() for part in pair.partition("="))
        if not equals or not what or not name:
            raise SettingWrong(
                f"{place} {pair}: must be TIER=NAME or ROLE=NAME, such as fast=openai:gpt-5-mini. --no-model asks "
                "none.",
                chinese=f"{place} {pair}：应为 TIER=NAME 或 ROLE=NAME，例如 fast=openai:gpt-5-mini。"
                "完全不用模型请加 --no-model。",
            )
        _check_role(what, roles, f"{place} {pair}")
        named[what] = Named(model=name)
    return {what: _absolute(name) for what, name in named.items() if name.model}


def _check_role(what: str, roles: Collection[str], place: str) -> None:
    if not roles or what in (*TIERS, *roles):
        return
    known = (*TIERS, *sorted(roles))
    near = get_close_matches(what, known, 1) or known
    raise SettingWrong(
        f"{place}: {what} is neither a tier nor a role. There is: {', '.join(near)}.",
        chinese=f"{place}：{what} 既不是档位也不是角色。可用：{'、'.join(near)}。",
    )


def named_prices(settings: Settings, *, place: str = "--price") -> dict[str, Price]:
    """What models cost, as a person says; `--price` wins. Raises SettingWrong for what is no price."""
    said: dict[str, Price] = {}
    for pair in settings.price:
        name, equals, amounts = (part.strip() for part in pair.rpartition("="))
        try:
            if not equals or ":" not in name:
                raise ValueError(pair)
            said[name] = Price.model_validate(amounts)
        except ValueError as wrong:
            raise SettingWrong(
                f"{place} {pair[:100]}: must be NAME=IN/OUT, two amounts from 0 in dollars a million tokens, such as "
                "deepseek:deepseek-chat=0.27/1.10.",
                chinese=f"{place} {pair[:100]}：应为 NAME=IN/OUT，即每百万 token 的两个美元价格（不小于 0），"
                "例如 deepseek:deepseek-chat=0.27/1.10。",
            ) from wrong
    return {**said, **{name: price for name, price in settings.prices.items() if name not in said}}


def _absolute(name: Named) -> Named:
    provider, colon, rest = name.model.partition(":")
    if not colon or provider != "scripted" or rest == "all":
        return name
    return name.model_copy(update={"model": f"{provider}:{typed_path(rest).absolute()}"})


def absolute_docs(docs: tuple[str, ...]) -> tuple[str, ...]:
    """Paths made absolute, so that a run resumed from another folder finds them; all else stays, a blank too."""
    return tuple(
        what if what == "python" or "://" in what or not what.strip() else str(typed_path(what).absolute())
        for what in docs
    )


def links_in(question: str) -> tuple[str, ...]:
    """The web addresses in a question, cut out by code."""
    return tuple(dict.fromkeys(link.rstrip(".,;:!?") for link in _LINK.findall(question)))


def new_run_id() -> RunId:
    """Ten characters that nobody confuses when reading them aloud."""
    return RunId("".join(secrets.choice(_ALPHABET) for _ in range(10)))


def now() -> datetime:
    """The time of what happens outside any walk."""
    return datetime.now(UTC)


def of_row(settings: Mapping[str, JsonValue]) -> Asked:
    """What a kept run was asked for."""
    return Asked.model_validate(settings)

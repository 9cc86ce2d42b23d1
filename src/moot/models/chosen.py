"""Which model plays which role, by what the settings and flags named. No name at all: understudies play everything.

Names are checked here without opening anything; the wire, which is heavy, is opened by whoever hands over how.
"""

from collections.abc import Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple, Protocol, TypeVar
from urllib.parse import SplitResult, urlsplit

from pydantic import JsonValue, SecretStr

from moot.models.fallback import Chain
from moot.models.named import Named, timeouts_of
from moot.models.port import Model, Profile
from moot.models.priced import Priced
from moot.models.prices import Price, price_of
from moot.models.profile import ProfileWith, Provider, Table, profile_of, providers
from moot.models.rate import Rate
from moot.models.scripted import open_script
from moot.models.wire.endpoint import Endpoint
from moot.values.errors import SettingWrong
from moot.values.messages import Tier

TIERS: tuple[Tier, ...] = ("fast", "strong", "vision")
_OTHER: dict[Tier, Tier] = {"fast": "strong", "strong": "fast"}


class OpenWire(Protocol):
    """Opens `provider:model` at an endpoint."""

    def __call__(
        self, name: str, endpoint: Endpoint, profile: Profile, *, profile_with: ProfileWith | None = None
    ) -> Model:
        """`profile_with`: of a model that LangChain opens, its profile with what that knows of it in its place."""
        ...


M = TypeVar("M")


def nearest(chosen: Mapping[str, M], team: str, role: str, *, tier: Tier) -> M | None:
    """What was chosen for a role: by its team's name for it, its own, its tier's, or the other tier's."""
    names = [f"{team}.{role}", role, tier, *([_OTHER[tier]] if tier in _OTHER else [])]
    return next((chosen[name] for name in names if name in chosen), None)


class ChosenModels:
    """Implements `Models`: a team's role, else a role, else the role's tier; an unset tier falls to the other."""

    def __init__(self, chosen: Mapping[str, Model] | None = None) -> None:
        """`chosen`: models by tier (`fast`), by role (`planner`) or by a team's role (`research.planner`)."""
        self._chosen = dict(chosen or {})

    def of(self, team: str, role: str, tier: Tier) -> Model | None:
        """The model that plays a role; None: its understudy does."""
        return nearest(self._chosen, team, role, tier=tier)

    def has(self, team: str, role: str, tier: Tier) -> bool:
        """True when a model was named for this role or tier itself: no other tier's stands in."""
        return bool({f"{team}.{role}", role, tier} & self._chosen.keys())

    @property
    def named(self) -> str:
        """What answers, for a person: `fast a:b · strong c:d`; `` when nothing was chosen."""
        return " · ".join(f"{what} {model.name}" for what, model in sorted(self._chosen.items()))


class Own(NamedTuple):
    """What a person says of models, by pattern of `provider:model`; it wins over what we know."""

    prices: Mapping[str, Price] = {}
    profiles: Mapping[str, Mapping[str, JsonValue]] = {}
    places: Mapping[str, str] = {}
    """Where each was named, as an error tells it: `fast` → `--model fast`."""


class Ready(NamedTuple):
    """A model that may be opened."""

    name: str
    endpoint: Endpoint | None
    """None: it is a script."""
    profile: Profile
    price: Price | None = None
    """None: nobody knows it."""
    profile_with: ProfileWith | None = None
    """None: our own wire reaches it. Else LangChain does, and may know more of it."""


def named(names: Mapping[str, Named | str], environ: Mapping[str, str] | None = None, *, own: Own = Own()) -> str:
    """What would answer, for a person, with nothing opened. Raises SettingWrong for what cannot be opened."""
    checked = {what: readied(what, name, environ or {}, own=own)[0] for what, name in names.items()}
    return " · ".join(f"{what} {ready.name}" for what, ready in sorted(checked.items()))


def choose(
    names: Mapping[str, Named | str],
    environ: Mapping[str, str] | None = None,
    open_wire: OpenWire | None = None,
    *,
    own: Own = Own(),
) -> ChosenModels:
    """Opens the models named by tier, role or team's role; two that are named alike are one. Raises SettingWrong.

    `environ`: where keys stand. `open_wire`: how a model behind an endpoint is opened.
    """
    opened: dict[str, Model] = {}
    chosen: dict[str, Model] = {}
    for what, name in names.items():
        known = name if isinstance(name, str) else name.model_dump_json()
        if known not in opened:
            chain = [_opened(ready, open_wire) for ready in readied(what, name, environ or {}, own=own)]
            opened[known] = chain[0] if len(chain) == 1 else Chain(chain)
        chosen[what] = opened[known]
    return ChosenModels(chosen)


def _opened(ready: Ready, open_wire: OpenWire | None) -> Model:
    return Priced(unpriced(ready, open_wire), ready.price)


def unpriced(ready: Ready, open_wire: OpenWire | None) -> Model:
    """The model itself, opened; what it uses is not counted in money."""
    if ready.endpoint is None:
        return open_script(script_of(ready.name.partition(":")[2]), ready.profile)
    assert open_wire is not None, f"{ready.name} is opened without a wire"
    if ready.profile_with is None:
        return open_wire(ready.name, ready.endpoint, ready.profile)
    return open_wire(ready.name, ready.endpoint, ready.profile, profile_with=ready.profile_with)


def readied(what: str, name: Named | str, environ: Mapping[str, str], *, own: Own = Own()) -> Sequence[Ready]:
    """A model and those that answer in its stead, looked at. Raises SettingWrong naming where it was named."""
    first = Named.model_validate(name)
    place = own.places.get(what, f"models.{what}")
    return [_ready(place, one, environ, own=own) for one in (first, *first.fallback)]


def _ready(what: str, given: Named, environ: Mapping[str, str], *, own: Own) -> Ready:
    prefix, colon, rest = given.model.partition(":")
    if not colon or not rest:
        raise _wrong(
            what, given, f"a model is named provider:model, such as openai:{given.model or 'gpt-5'}",
            zh=f"模型应写作 provider:model，例如 openai:{given.model or 'gpt-5'}",
        )  # fmt: skip
    if prefix == "scripted":
        profile = profile_of(given.model, open_script(script_of(rest)).profile.model_dump(), own.profiles)
        return Ready(given.model, None, profile, _price(given.model, own))
    provider = providers().get(prefix)
    if provider is None:
        known = ", ".join(sorted([*providers(), "scripted"]))
        raise _wrong(
            what, given, f"the provider {prefix!r} is not known. Known: {known}",
            zh=f"尚不支持 {prefix!r}，可用：{known}",
        )  # fmt: skip

    def profile_with(beyond: Table) -> Profile:
        profile = profile_of(given.model, provider.can, own.profiles, beyond=beyond)
        return profile.model_copy(update={"max_output": given.max_output_tokens} if given.max_output_tokens else {})

    _installed(what, given, provider)
    endpoint = _endpoint(what, given, provider, environ=environ)
    late = profile_with if provider.langchain else None
    return Ready(given.model, endpoint, profile_with({}), _price(given.model, own), late)


def script_of(name: str) -> Path:
    """Where a script stands: `all` is our own, of a model that can everything and only answers a probe."""
    return Path(__file__).parent / "all.json" if name == "all" else Path(name)


def _installed(what: str, given: Named, provider: Provider) -> None:
    """Raises SettingWrong that names the extra when the package that reaches a provider is not there."""
    package = provider.langchain
    if not package or (find_spec("langchain") and find_spec(package)):
        return
    wanted = f'"moot[{provider.extra}]"' if provider.extra else f"langchain {package.replace('_', '-')}"
    raise _wrong(
        what, given, f"the package {package} is not installed. Install it: pip install {wanted}",
        zh=f"未安装 {package}，请安装：pip install {wanted}",
    )  # fmt: skip


def _price(name: str, own: Own) -> Price | None:
    known = price_of(name, own.prices)
    return known.price if known else None


def _endpoint(what: str, given: Named, provider: Provider, *, environ: Mapping[str, str]) -> Endpoint:
    base_url = given.base_url or provider.base_url
    if not base_url and not (provider.langchain and provider.base_url_as == "base_url"):
        raise _wrong(
            what, given, 'it needs a base_url, such as {model = "compatible:m", base_url = "http://127.0.0.1:8000/v1"}',
            zh='还需 base_url，例如 {model = "compatible:m", base_url = "http://127.0.0.1:8000/v1"}',
        )  # fmt: skip
    address = _address(base_url or "https://its.own")
    if address is None:
        raise _wrong(what, given, f"base_url {base_url} is no web address", zh=f"base_url {base_url} 不是网址")
    if address.username or address.password or address.query:  # it is kept with the run, which holds no key
        raise _wrong(
            what, given, "base_url holds a password or a query. Put the key into a variable and name it as api_key_env",
            zh="base_url 中含有密码或查询参数。请把密钥放入环境变量，并用 api_key_env 指明",
        )  # fmt: skip
    variable = given.api_key_env or provider.key
    return Endpoint(
        base_url=base_url,
        model=given.model.partition(":")[2],
        provider=provider.name,
        key=_key(what, given, variable, environ=environ) if variable else None,
        key_name=variable,
        temperature=given.temperature,
        body={**provider.body, **given.extra},
        body_whole=provider.body_whole,
        timeouts=timeouts_of(given),
        rate=given.rate or Rate(),
    )


def _address(url: str) -> SplitResult | None:
    """The parts of a web address; None when it is none."""
    try:
        address = urlsplit(url)
        whole = address.scheme in ("http", "https") and address.hostname and address.port != 0 and not address.fragment
    except ValueError:  # a bracket that is not closed, a port beyond 65,535
        return None
    return address if whole and url.isprintable() and " " not in url else None


def _key(what: str, given: Named, variable: str, *, environ: Mapping[str, str]) -> SecretStr:
    """The key. Raises SettingWrong that names the variable, never what it holds."""
    key = environ.get(variable, "").strip()
    if not key:
        raise _wrong(
            what, given, f"its key is looked for in {variable}, which is not set. Set it, or choose another model",
            zh=f"所需密钥 {variable} 未设置。请设置它，或改用其他模型",
        )  # fmt: skip
    if not key.isascii() or not key.isprintable() or " " in key:
        raise _wrong(
            what, given, f"{variable} holds characters that no key has. Copy it again",
            zh=f"{variable} 含有密钥中不会出现的字符，请重新复制",
        )  # fmt: skip
    return SecretStr(key)


def _wrong(what: str, given: Named, why: str, *, zh: str) -> SettingWrong:
    way_out, chinese = "Without it, understudies play.", "不设置则由替补完成。"
    return SettingWrong(
        f"setting_wrong: {what} is {given.model!r}: {why}. {way_out}",
        chinese=f"setting_wrong：{what} 为 {given.model!r}：{zh}。{chinese}",
    )

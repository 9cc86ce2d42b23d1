"""What is known of models: who is configured, what each can do and costs, by whose word; and measuring one."""

from collections.abc import Mapping

from pydantic import JsonValue

from moot.app.asked import named_models, named_prices
from moot.app.settings import Settings
from moot.app.wiring import House
from moot.models.chosen import TIERS, Own, Ready, nearest, readied, script_of, unpriced
from moot.models.named import Named
from moot.models.port import Model, Profile
from moot.models.prices import Price, listed_prices, price_of
from moot.models.probe import Measured, Refusing, probe
from moot.models.profile import ProfileWith, listed_profiles, profile_of, providers, sources_of
from moot.models.scripted import open_script
from moot.text.redact import without_headers
from moot.values.errors import SettingWrong
from moot.values.messages import Tier
from moot.values.value import Value


class Known(Value):
    """A model, as far as it is known without asking it."""

    name: str
    given: str = ""
    """The tier or role that was asked for; `` when it was named itself."""
    base_url: str = ""
    key: str = ""
    """The variable that holds its key; `` when none is needed."""
    key_is_set: bool = False
    profile: Profile
    sources: dict[str, str]
    """By field of the profile, who says so: settings, profiles.toml, provider, script or default."""
    price: Price | None = None
    """None: unknown."""
    price_source: str = ""
    fallback: tuple[str, ...] = ()


class ProviderRow(Value):
    """A provider, and what our tables know of its models."""

    name: str
    key: str
    key_is_set: bool
    langchain: str = ""
    """The package that reaches it; `` when moot does itself."""
    models: tuple[str, ...] = ()
    """Names and patterns of models with a price or a profile of their own."""


class Abilities:
    """Looks at models by the settings of one data folder."""

    def __init__(self, house: House) -> None:
        self._house = house
        settings = house.gathering.gather(Settings, {})
        self._environ = house.gathering.environ
        self.configured = named_models(settings)
        self._own = Own(named_prices(settings), settings.profiles)

    def providers(self, only: str = "") -> list[ProviderRow]:
        """Every provider, or one. Raises SettingWrong for one that there is not."""
        if only and only not in providers():
            raise SettingWrong(
                f"there is no provider {only}. There are: {', '.join(sorted(providers()))}.",
                chinese=f"没有服务商 {only}。可用：{'、'.join(sorted(providers()))}。",
            )
        return [self._row(name) for name in sorted(providers()) if only in ("", name)]

    def show(self, name: str) -> Known:
        """A model by its name, tier or role. Raises SettingWrong when it names none."""
        given = self._named(name)
        prefix, _, rest = given.model.partition(":")
        provider = providers().get(prefix)
        if provider is None and prefix != "scripted":
            readied(name, given, self._environ, own=self._own)  # says what is wrong with it
        can: Mapping[str, JsonValue] = provider.can if provider else open_script(script_of(rest)).profile.model_dump()
        key = given.api_key_env or (provider.key if provider else "")
        price = price_of(given.model, self._own.prices)
        return Known(
            name=given.model,
            given="" if given.model == name else name,
            base_url=without_headers(given.base_url or (provider.base_url if provider else "")),
            key=key,
            key_is_set=bool(self._environ.get(key, "").strip()) if key else False,
            profile=profile_of(given.model, can, self._own.profiles),
            sources=self._sources(given.model, can, "provider" if provider else "script"),
            price=price.price if price else None,
            price_source=price.source if price else "",
            fallback=tuple(one.model for one in given.fallback),
        )

    async def probe(self, name: str) -> Measured:
        """Measures a model: some calls are made. Raises SettingWrong, ModelFailed."""
        ready = readied(name, self._named(name), self._environ, own=self._own)[0]
        if ready.endpoint is None:
            script = open_script(script_of(ready.name.partition(":")[2]))
            return await probe(lambda hoped: Refusing(script, hoped), script.profile)
        known = self.show(name).profile

        def opened(hoped: Profile) -> Model:
            return unpriced(ready._replace(profile=hoped, profile_with=_always(hoped, ready)), self._house.open_wire)

        return await probe(opened, known)

    def _named(self, name: str) -> Named:
        tier: Tier | None = next((one for one in TIERS if one == name), None)
        found = nearest(self.configured, "", name, tier=tier or "vision") if tier else self.configured.get(name)
        if found is None and ":" in name:
            found = next((one for one in self.configured.values() if one.model == name), Named(model=name))
        if found is None:
            there = ", ".join(f"{what} = {one.model}" for what, one in self.configured.items()) or "none"
            raise SettingWrong(
                f"{name} names no model: give provider:model, a tier or a role. Configured: {there}.",
                chinese=f"{name} 未指明模型：请给出 provider:model、档位或角色。已配置：{there}。",
            )
        return found

    def _row(self, name: str) -> ProviderRow:
        provider = providers()[name]
        models = {known for known in (*listed_prices(), *listed_profiles()) if known.startswith(f"{name}:")}
        return ProviderRow(
            name=name,
            key=provider.key,
            key_is_set=bool(provider.key and self._environ.get(provider.key, "").strip()),
            langchain=provider.langchain,
            models=tuple(sorted(models)),
        )

    def _sources(self, name: str, can: Mapping[str, JsonValue], last: str) -> dict[str, str]:
        found: dict[str, str] = {}
        for source, table in sources_of(name, can, self._own.profiles):
            for field in table:
                found.setdefault(field, last if source == "provider" else source)
        return {field: found.get(field, "default") for field in Profile.model_fields}


def _always(profile: Profile, ready: Ready) -> ProfileWith | None:
    """What LangChain knows of a model does not count while it is measured."""
    return None if ready.profile_with is None else lambda _: profile

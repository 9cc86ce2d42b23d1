"""Which models stand on this machine: all that an offline run asks. Opening one is models/'s."""

from collections.abc import Mapping
from ipaddress import ip_address
from urllib.parse import urlsplit

from moot.models.named import Named
from moot.models.profile import providers


def near(models: Mapping[str, Named]) -> tuple[dict[str, Named], tuple[str, ...]]:
    """The models that are reached without leaving this machine, by what they play, and the names of the others."""
    kept: dict[str, Named] = {}
    for what, name in models.items():
        chain = [one for one in (name, *name.fallback) if _is_near(one)]
        if chain:
            kept[what] = chain[0].model_copy(update={"fallback": tuple(chain[1:])})
    far = [one.model for name in models.values() for one in (name, *name.fallback) if not _is_near(one)]
    return kept, tuple(dict.fromkeys(far))


def notice(far: tuple[str, ...]) -> str:
    """What is told of models that are not asked."""
    return (
        f"offline: {', '.join(far)} is not on this machine and is not asked. Understudies play in its stead, or the "
        "next model that is."
    )


def _is_near(name: Named) -> bool:
    prefix = name.model.partition(":")[0]
    if prefix == "scripted":
        return True
    provider = providers().get(prefix)
    base_url = name.base_url or (provider.base_url if provider else "")
    try:
        host = urlsplit(base_url).hostname or ""
        return host == "localhost" or ip_address(host).is_loopback
    except ValueError:  # a name, or no address at all
        return False

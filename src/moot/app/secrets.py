"""Which secrets there are: the keys of every provider that the environment holds, and those that a person's names say.

Covering them is text/redact.py's business; a secret goes to its client, and nowhere else.
"""

from collections.abc import Collection, Iterator, Mapping

from moot.models.named import Named
from moot.models.profile import providers
from moot.text.redact import Secrets, secrets_of
from moot.web.search.choosing import key_names

_BLANK = "none"
_BESIDE = ("AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN", "AWS_BEARER_TOKEN_BEDROCK")
"""Read by a provider's own package, and by no name of ours."""


def secrets_in(environ: Mapping[str, str], models: Mapping[str, Named], beside: Collection[str] = ()) -> Secrets:
    """Every configured secret: what the variables hold that keys of models and search engines are looked for in."""
    variables = {*_BESIDE, *beside, *key_names(), *(provider.key for provider in providers().values()), *_named(models)}
    return secrets_of(value for name in sorted(variables) if (value := environ.get(name, "").strip()))


def with_blank_keys(
    environ: Mapping[str, str], models: Mapping[str, Named], beside: Collection[str] = ()
) -> Mapping[str, str]:
    """The environment for walks that call nobody: where a key is not set, a blank stands for it."""
    variables = {*beside, *(provider.key for provider in providers().values()), *_named(models)}
    missing = [name for name in variables if name and not environ.get(name, "").strip()]
    return {**environ, **dict.fromkeys(missing, _BLANK)}


def _named(models: Mapping[str, Named]) -> Iterator[str]:
    for model in models.values():
        yield from (one.api_key_env for one in (model, *model.fallback))

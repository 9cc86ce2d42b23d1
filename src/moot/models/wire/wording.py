"""Words a fault for a person: what happened, the values, what to do; and never a key."""

from moot.models.wire.endpoint import Endpoint
from moot.models.wire.faults import Fault
from moot.text.redact import COVER, SHORTEST


def sentence(fault: Fault, endpoint: Endpoint, *, attempts: int) -> str:
    """The message of the ModelFailed that a fault becomes."""
    return without_key(f"{fault.code}: {_said(fault, endpoint, attempts)}", endpoint)


def note(fault: Fault, endpoint: Endpoint, *, wait_s: float) -> str:
    """What a reader is told while the call goes on."""
    if fault.again == "lowered":
        return f"lowered: {endpoint.model} is asked without {fault.parameter}"
    why = _status(fault) or fault.words or fault.code
    waits = f" in {wait_s:.3g} s" if wait_s else ""
    return without_key(f"retry: {endpoint.model} is asked again{waits} ({why})", endpoint)


def without_key(words: str, endpoint: Endpoint) -> str:
    """The words with the key, which some servers echo, covered."""
    key = endpoint.key.get_secret_value() if endpoint.key else ""
    if len(key) < SHORTEST:
        return words
    words = words.replace(key, COVER)
    begins = next((key[:size] for size in range(len(key), SHORTEST - 1, -1) if f"{key[:size]}…" in words), "")
    return words.replace(f"{begins}…", f"{COVER}…") if begins else words  # words too long are cut, a key in them too


def _said(fault: Fault, endpoint: Endpoint, attempts: int) -> str:
    provider, model, status = endpoint.provider, endpoint.model, _status(fault)
    words = f": {fault.words}" if fault.words else ""
    tries = f" after {attempts} attempts" if attempts > 1 else ""
    at = f" ({', '.join(part for part in (status, endpoint.host) if part)})"
    match fault.code:
        case "auth" if endpoint.key is None:
            variable = f"Set {endpoint.key_name}" if endpoint.key_name else "Name its variable as api_key_env"
            return f"{provider} wants a key{at}{words}. {variable} or choose another model."
        case "auth":
            return f"{provider} refused the key in {endpoint.key_name} ({status}). Set it or choose another model."
        case "not_found":
            return f"{provider} has no model {model!r}{at}{words}. Look up its name, or mend base_url."
        case "quota":
            return f"the account at {provider} is used up{at}{words}. Top it up or choose another model."
        case "rate_limited":
            asks = f", which asks for {fault.wait_s:,.0f} s of rest" if fault.wait_s and fault.wait_s > 1 else ""
            return f"{provider} takes no more requests now{asks}{at}{tries}{words}. Try later or choose another model."
        case "too_long":
            holds = f", which holds {fault.window:,} tokens" if fault.window else ""
            return f"the request was too long for {model}{holds}{at}{words}."
        case "refused":
            return f"{provider} refuses to answer this{at}{words}."
        case "timeout":
            return f"{model} took too long{at}{tries}{words}. Try later or raise timeout_s."
        case "setting":
            return f"{fault.words}. Mend base_url of {provider}."
        case "cut":
            return f"the reply of {model} broke off{at}{tries}{words}."
        case "malformed" if status:
            return f"{provider} did not understand the request{at}{words}. Report it, or choose another model."
        case "malformed":
            return f"what {model} answered can't be read{at}{tries}{words}. Is base_url right?"
        case _:
            return f"{provider} can't be reached or has failed{at}{tries}{words}. Try later or choose another model."


def _status(fault: Fault) -> str:
    return str(fault.status) if fault.status else ""

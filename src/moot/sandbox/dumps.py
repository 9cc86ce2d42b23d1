"""An interpreter's state as text that can be kept in a journal, and is known for whole when it comes back."""

import base64
import binascii
import hashlib


def seal(state: bytes, *, made_by: str) -> str:
    """The state as text, with who made it and its digest. `opened` gives it back."""
    body = base64.b64encode(state).decode("ascii")
    return f"{made_by}:{_digest(body)}:{body}"


def opened(sealed: str, *, made_by: str) -> bytes | None:
    """The state; None when the text was altered, or made by another version, whose states mean nothing to this one."""
    maker, _, rest = sealed.partition(":")
    digest, _, body = rest.partition(":")
    if maker != made_by or digest != _digest(body):
        return None
    try:
        return base64.b64decode(body, validate=True)
    except binascii.Error:
        return None


def _digest(body: str) -> str:
    return hashlib.sha256(body.encode("utf-8", "surrogatepass")).hexdigest()

"""Archives made for tests: a document of given members, with odd names, sizes and locks where a test asks for them."""

import io
import zipfile
from collections.abc import Mapping

Members = Mapping[str, str | bytes]


def packed(members: Members) -> bytes:
    """A ZIP archive of these members, in this order."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, body in members.items():
            archive.writestr(name, body)
    return made.getvalue()


def members_of(body: bytes) -> dict[str, str | bytes]:
    """What is in an archive."""
    with zipfile.ZipFile(io.BytesIO(body)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def changed(body: bytes, members: Members) -> bytes:
    """The archive with members put in or replaced."""
    return packed({**members_of(body), **members})

"""Tells a picture's kind and size from its first bytes: PNG, JPEG, WebP, GIF. Nothing is decoded."""

from typing import NamedTuple


class Measured(NamedTuple):
    """What a picture is."""

    media_type: str
    width: int
    height: int


def measured(body: bytes) -> Measured | None:
    """Kind and size in pixels; None for bytes that are none of these pictures."""
    if body[:8] == b"\x89PNG\r\n\x1a\n" and body[12:16] == b"IHDR":
        return _of("image/png", body[16:20], body[20:24])
    if body[:6] in (b"GIF87a", b"GIF89a"):
        return _of("image/gif", body[7:5:-1], body[9:7:-1])
    if body[:4] == b"RIFF" and body[8:12] == b"WEBP":
        return _webp(body)
    return _jpeg(body) if body[:3] == b"\xff\xd8\xff" else None


def _of(media_type: str, width: bytes, height: bytes) -> Measured | None:
    size = int.from_bytes(width, "big"), int.from_bytes(height, "big")
    return Measured(media_type, *size) if min(size) > 0 else None


def _webp(body: bytes) -> Measured | None:
    match body[12:16]:
        case b"VP8X" if len(body) >= 30:
            size = (int.from_bytes(body[at : at + 3], "little") + 1 for at in (24, 27))
        case b"VP8L" if len(body) >= 25:
            bits = int.from_bytes(body[21:25], "little")
            size = ((bits >> shift & 0x3FFF) + 1 for shift in (0, 14))
        case b"VP8 " if len(body) >= 30:
            size = (int.from_bytes(body[at : at + 2], "little") & 0x3FFF for at in (26, 28))
        case _:
            return None
    width, height = size
    return Measured("image/webp", width, height) if width and height else None


def _jpeg(body: bytes) -> Measured | None:
    """Walks from segment to segment until one tells the frame's size."""
    at = 2
    while at + 9 <= len(body) and body[at] == 0xFF:
        kind = body[at + 1]
        if 0xC0 <= kind <= 0xCF and kind not in (0xC4, 0xC8, 0xCC):
            return _of("image/jpeg", body[at + 7 : at + 9], body[at + 5 : at + 7])
        at += 2 + int.from_bytes(body[at + 2 : at + 4], "big")
    return None

"""A picture's kind and size are told from its first bytes; anything else is no picture."""

import struct

import pytest

from moot.text.pictures import Measured, measured

PNG = b"\x89PNG\r\n\x1a\n" + struct.pack(">I4sII", 13, b"IHDR", 1280, 720)
GIF = b"GIF89a" + struct.pack("<HH", 320, 200)
JPEG = b"\xff\xd8\xff\xe0" + struct.pack(">H", 4) + b"xx" + b"\xff\xc0" + struct.pack(">HBHH", 17, 8, 48, 64)
VP8X = b"RIFF....WEBPVP8X" + b"\0" * 8 + (639).to_bytes(3, "little") + (479).to_bytes(3, "little")
VP8L = b"RIFF....WEBPVP8L" + b"\0" * 4 + b"\x2f" + ((9) | (19 << 14)).to_bytes(4, "little")
VP8 = b"RIFF....WEBPVP8 " + b"\0" * 10 + struct.pack("<HH", 33, 44)


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (PNG, Measured("image/png", 1280, 720)),
        (GIF, Measured("image/gif", 320, 200)),
        (JPEG, Measured("image/jpeg", 64, 48)),
        (VP8X, Measured("image/webp", 640, 480)),
        (VP8L, Measured("image/webp", 10, 20)),
        (VP8, Measured("image/webp", 33, 44)),
    ],
    ids=["png", "gif", "jpeg", "webp", "webp_lossless", "webp_simple"],
)
def test_kind_and_size_are_told(body: bytes, expected: Measured) -> None:
    assert measured(body) == expected


@pytest.mark.parametrize(
    "body", [b"", b"hello", PNG[:18], b"\xff\xd8\xff\xe0", b"RIFF....WEBPVP8X", PNG[:16] + b"\0" * 8]
)
def test_what_is_no_whole_head_is_no_picture(body: bytes) -> None:
    assert measured(body) is None

"""One HTTP/1.1 reply read from its bytes: as h11 reads it, however it was cut; and nothing that only looks like one."""

import random

import h11
import pytest

from moot.models.wire.framing import MOST_HEAD, Arriving, NoHttp

PIECES = (b"x", b"data: {}\n\n", b"\r\n\r\n", b"0\r\n\r\n", "塔高".encode(), b"HTTP/1.1 200 OK\r\n", b"z" * 700)


def made(seed: int) -> bytes:
    """A reply as one of many servers writes it."""
    chance = random.Random(seed)
    body = b"".join(chance.choices(PIECES, k=chance.randint(0, 8)))
    early = b"HTTP/1.1 100 Continue\r\n\r\n" * chance.choice((0, 0, 1, 2))
    version = chance.choice((b"HTTP/1.1", b"HTTP/1.1", b"HTTP/1.0"))
    head = version + b" " + chance.choice((b"200 OK", b"200", b"429 Too Many Requests", b"500 ")) + b"\r\n"
    head += b"content-type: text/event-stream\r\nX-Odd:   spaced out \r\n"
    head += chance.choice((b"", b"Connection: close\r\n", b"connection: keep-alive\r\n"))
    framing = chance.choice(("chunked", "length", "close") if version == b"HTTP/1.1" else ("length", "close"))
    if framing == "length":
        return early + head + b"Content-Length: %d\r\n\r\n" % len(body) + body
    if framing == "close":
        return early + head + b"\r\n" + body
    return early + head + b"Transfer-Encoding: chunked\r\n\r\n" + in_chunks(body, chance)


def in_chunks(body: bytes, chance: random.Random) -> bytes:
    out = b""
    while body:
        at = chance.randint(1, 40)
        piece, body = body[:at], body[at:]
        out += chance.choice((b"%x\r\n", b"%X\r\n", b"%x;name=value\r\n", b"00%x\r\n")) % len(piece) + piece + b"\r\n"
    return out + b"0\r\n" + chance.choice((b"", b"x-after: this\r\n")) + b"\r\n"


Read = tuple[int, list[tuple[bytes, bytes]], bytes, bool]


def by_h11(raw: bytes) -> Read:
    """What h11 reads, and whether it would use the connection again."""
    reader = h11.Connection(h11.CLIENT)
    reader.send(h11.Request(method="POST", target="/", headers=[("host", "here")]))
    reader.send(h11.EndOfMessage())
    reader.receive_data(raw)
    status, headers, body, closed = 0, list[tuple[bytes, bytes]](), b"", False
    while not isinstance(event := reader.next_event(), h11.EndOfMessage | h11.ConnectionClosed):
        if event is h11.NEED_DATA:
            assert not closed
            reader.receive_data(b"")
            closed = True
        elif isinstance(event, h11.Response):
            status, headers = event.status_code, [(bytes(name), bytes(value)) for name, value in event.headers]
        elif isinstance(event, h11.Data):
            body += bytes(event.data)
    return status, headers, body, reader.our_state is h11.DONE and reader.their_state is h11.DONE and not closed


def by_us(raw: bytes, cuts: int | None) -> Read:
    """The same, read in pieces."""
    reply, body, chance = Arriving(), b"", random.Random(cuts)
    while raw and not reply.whole:
        at = chance.choice((1, 2, 3, 7, 30, 500)) if cuts is not None else len(raw)
        body += reply.feed(raw[:at])
        raw = raw[at:]
    if not reply.whole:
        reply.end()
    assert reply.head is not None
    headers = [(name.lower(), value) for name, value in reply.head.headers]
    return reply.head.status, headers, body, reply.keeps


@pytest.mark.parametrize("seed", range(300))
def test_a_reply_is_read_as_h11_reads_it_however_it_was_cut(seed: int) -> None:
    raw = made(seed)
    expected = by_h11(raw)
    assert by_us(raw, None) == expected
    for cuts in range(8):
        assert by_us(raw, cuts) == expected


@pytest.mark.parametrize(
    ("raw", "why"),
    [
        (b"<html>wrong port</html>\r\n\r\n", "does not speak"),
        (b"SSH-2.0-OpenSSH_9.6\r\n\r\n", "does not speak"),
        (b"HTTP/2 200\r\n\r\n", "does not speak"),
        (b"HTTP/1.1 101 Switching Protocols\r\n\r\n", "another protocol"),
        (b"HTTP/1.1 200 OK\r\nno colon\r\n\r\n", "no header"),
        (b"HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n", "no length"),
        (b"HTTP/1.1 200 OK\r\nContent-Length: 3, 4\r\n\r\n", "no length"),
        (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip\r\n\r\n", "not asked for"),
        (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nno size\r\n", "no size"),
        (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n-1\r\n", "no size"),
        (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nab\r\n", "longer than it says"),
        (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + b"1" * (MOST_HEAD + 1), "does not end"),
        (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n" + b"a: b\r\n" * MOST_HEAD, "does not end"),
        (b"HTTP/1.1 200 OK\r\n" + b"a: b\r\n" * MOST_HEAD, "does not end"),
    ],
)
def test_what_is_no_reply_is_refused(raw: bytes, why: str) -> None:
    with pytest.raises(NoHttp, match=why):
        Arriving().feed(raw)


@pytest.mark.parametrize(
    ("raw", "why"),
    [
        (b"", "without a reply"),
        (b"HTTP/1.1 200 OK\r\nContent-", "without a reply"),
        (b"HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nab", "in the middle"),
        (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n", "in the middle"),
    ],
)
def test_a_reply_that_broke_off_is_refused(raw: bytes, why: str) -> None:
    reply = Arriving()
    reply.feed(raw)
    with pytest.raises(NoHttp, match=why):
        reply.end()


@pytest.mark.parametrize("framing", [b"Content-Length: 2\r\n\r\nok", b"Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n"])
def test_a_connection_with_more_than_its_reply_is_not_used_again(framing: bytes) -> None:
    reply = Arriving()
    reply.feed(b"HTTP/1.1 200 OK\r\n" + framing + b"HTTP/1.1 200 OK\r\n")
    assert reply.whole
    assert not reply.keeps


def test_of_two_ways_to_tell_the_end_the_pieces_count_and_the_connection_is_not_used_again() -> None:
    reply = Arriving()
    raw = b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n"
    assert reply.feed(raw) == b"ok"
    assert reply.whole
    assert not reply.keeps

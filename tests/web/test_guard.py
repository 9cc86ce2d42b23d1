import asyncio
from collections.abc import Sequence
from ipaddress import ip_address

import pytest

from moot.web.faults import Refused
from moot.web.guard import Guard, allowed
from moot.web.public import is_metadata, is_public

PUBLIC = "93.184.215.14"


class Resolver:
    """Answers with the next of its lists for every look-up, the last for ever; counts look-ups."""

    def __init__(self, *answers: Sequence[str]) -> None:
        self.answers = list(answers) or [[PUBLIC]]
        self.asked: list[str] = []

    async def __call__(self, host: str, port: int) -> Sequence[str]:
        self.asked.append(host)
        return self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]


async def code_of(url: str, *, guard: Guard | None = None) -> str:
    try:
        await (guard or Guard(resolve=Resolver())).check(url)
    except Refused as refused:
        return refused.code
    return "open"


WRITTEN_BADLY = """
http://127.1/ http://2130706433/ http://0x7f.1/ http://0177.0.0.1/ http://127.0.0.01/ http://0x7f000001/
http://017700000001/ http://127.0.1/ http://1.2.3.4.5/ http://256.1.1.1/ http://8.8.8.0x8/ http://08.8.8.8/ http://1/
http://0/ http://0x/ http://example.1/ http://example.0x7f/ http://[127.0.0.1]/ http://[fe80::1%25eth0]/
http://[::1%1]/ http://[::1 http://[1::2::3]/ http://[::1]x/ http://[::ffff:0177.0.0.1]/ http://999.999.999.999/
http://1.1.1.1.1.1/ http://00000000010.1.1.1/ http://[v1.x]/ http://[:]/
""".split()
PRIVATE = """
http://127.0.0.1/ http://127.0.0.1:8080/ http://127.255.255.254/ http://0.0.0.0/ http://10.0.0.1/
http://10.255.255.255/ http://100.64.0.1/ http://100.100.100.200/latest/ http://100.127.255.255/
http://169.254.169.254/latest/meta-data/ http://169.254.0.1/ http://168.63.129.16/ http://172.16.0.1/
http://172.31.255.255/ http://192.0.0.1/ http://192.0.0.192/ http://192.0.2.1/ http://192.31.196.1/
http://192.52.193.1/ http://192.88.99.1/ http://192.168.0.1/ http://192.168.255.255/ http://192.175.48.1/
http://198.18.0.1/ http://198.19.255.255/ http://198.51.100.1/ http://203.0.113.1/ http://224.0.0.1/
http://239.255.255.255/ http://240.0.0.1/ http://255.255.255.255/ http://127.0.0.1./ http://①②⑦.0.0.1/
http://127。0。0。1/ http://１２７.０.０.１/ http://127．0．0．1/ http://127｡0｡0｡1/ http://[::]/ http://[::1]/
http://[::ffff:127.0.0.1]/ http://[::ffff:7f00:1]/ http://[::127.0.0.1]/ http://[::7f00:1]/ http://[64:ff9b::7f00:1]/
http://[64:ff9b::10.0.0.1]/ http://[64:ff9b:1::1]/ http://[2002:7f00:1::]/ http://[2002:a00:1::1]/
http://[2002:a9fe:a9fe::]/ http://[fec0::1]/ http://[fe80::1]/ http://[fc00::1]/ http://[fd00:ec2::254]/
http://[ff02::1]/ http://[2001::1]/ http://[2001:0:4136:e378:8000:63bf:3fff:fdd2]/ http://[2001:db8::1]/
http://[2001:1ff::1]/ http://[3fff::1]/ http://[3fff:fff::1]/ http://[4000::1]/ http://[100::1]/ http://[5f00::1]/
http://[2606:4700::5efe:127.0.0.1]/ http://[2606:4700::200:5efe:10.0.0.1]/ http://[0:0:0:0:0:ffff:0a00:0001]/
http://[::FFFF:192.168.1.1]:8080/ http://localhost/ http://LOCALHOST/ http://localhost./ http://a.localhost/
http://printer.local/ http://db.internal/ http://nas.lan/ http://router.home.arpa/ http://metadata/
http://metadata.google.internal/ http://METADATA.google.internal./ http://intranet/ http://wiki/ http://ｌｏｃａｌｈｏｓｔ/
http://loc\xadalhost/ http://ⓛⓞⓒⓐⓛⓗⓞⓢⓣ/
""".replace("\\xad", "\xad").split()  # fmt: skip
OTHERWISE = {
    "scheme": "file:///etc/passwd gopher://example.com/ ftp://example.com/ ws://example.com/ javascript:alert(1) "
    "data:text/html,x FILE:///x chrome://settings view-source:http://example.com/ about:blank docs://python/with",
    "credentials": "http://a:b@example.com/ http://a@127.0.0.1/ http://@example.com/ http://example.com@127.0.0.1/ "
    "http://example.com:80@127.0.0.1/ http://a%40b@example.com/",
    "port": "http://example.com:22/ http://example.com:0/ http://example.com:25/ http://example.com:9000/ "
    "http://example.com:65536/ http://example.com:99999999999/ "
    "http://93.184.215.14:6379/ https://[2606:4700::1]:22/",
    "form": "http:///x http:// http:example.com http:/example.com //example.com/ example.com http://a..b.com/ "
    "http://.example.com/ http://example.com../ http://-a.com/ http://a-.com/ http://example.com:8a/ "
    "http://a%2eb.com/ http://127%2e0%2e0%2e1/ "
    "http://ex!ample.com/ http://*.example.com/ http://evil℀.com/ http://a.b：80/ :// 1http://example.com/",
}  # fmt: skip
ODD_FORMS = [
    "http://example.com\\@127.0.0.1/", "http:\\\\example.com\\", "http://exa\tmple.com/", "http://exa mple.com/",
    "http://exa\nmple.com/",
    "http://example.com/\x00", "http://example.com/\x7f",
    "http://exa\u200bmple.com/", "http://example.com/\u2028x", "http://example.com/a b",
    "", " ", "http://" + "a" * 64 + ".com/", "http://" + "a." * 130 + "com/", "http://example.com/" + "a" * 4_096,
]  # fmt: skip
OPEN = """
http://example.com/ https://example.com/ HTTP://EXAMPLE.COM/ http://example.com. http://example.com:80/x
https://example.com:443 http://example.com:8000/ http://example.com:8999/ http://sub.do-main.example/
http://_dmarc.example.com/ http://例子.测试/路径 http://bücher.example/ http://xn--bcher-kva.example/ http://93.184.215.14/
http://8.8.8.8:8080/ http://100.63.255.255/ http://100.128.0.1/ http://172.32.0.1/ http://172.15.0.1/
http://192.0.1.1/ http://[2606:4700::1111]/ http://[2001:4860:4860::8888]:443/ http://[::ffff:8.8.8.8]/
http://[64:ff9b::8.8.8.8]/ http://[2002:808:808::1]/ http://[2001:200::1]/ http://dead.beef/ http://face.be/
http://7.example/ http://example.com?q=1 http://example.com#x http://example.com:/ http://example.com/a@b
http://example.com/%00
""".split()


def test_more_than_120_addresses_are_judged() -> None:
    written = [
        *WRITTEN_BADLY,
        *PRIVATE,
        *ODD_FORMS,
        *OPEN,
        *(one for many in OTHERWISE.values() for one in many.split()),
    ]
    assert len(set(written)) == len(written) >= 120


@pytest.mark.parametrize("url", WRITTEN_BADLY)
async def test_a_number_that_is_no_strict_address_is_refused_and_not_interpreted(url: str) -> None:
    assert await code_of(url) == "address_form"


@pytest.mark.parametrize("url", PRIVATE)
async def test_an_address_outside_the_public_internet_is_refused_and_its_name_not_looked_up(url: str) -> None:
    resolver = Resolver()
    assert await code_of(url, guard=Guard(resolve=resolver)) == "private_address"
    assert resolver.asked == []


@pytest.mark.parametrize(("code", "url"), [(code, url) for code, many in OTHERWISE.items() for url in many.split()])
async def test_an_address_is_refused_for_its_form(code: str, url: str) -> None:
    assert await code_of(url) == code


@pytest.mark.parametrize("url", ODD_FORMS)
async def test_a_character_or_length_that_no_address_has_is_refused(url: str) -> None:
    assert await code_of(url) == "form"


@pytest.mark.parametrize("url", OPEN)
async def test_a_public_address_is_open(url: str) -> None:
    assert await code_of(url) == "open"


async def test_a_name_is_looked_up_once_and_the_connection_goes_to_what_was_checked() -> None:
    resolver = Resolver([PUBLIC], ["127.0.0.1"])
    target = await Guard(resolve=resolver).check("https://Example.com./a")
    assert (target.host, target.port, target.ips) == ("example.com", 443, (PUBLIC,))
    assert resolver.asked == ["example.com"]


@pytest.mark.parametrize(
    "answers",
    [["8.8.8.8", "10.0.0.1"], ["2606:4700::1", "::1"], ["fe80::1%eth0"], ["::ffff:192.168.0.1"], ["169.254.169.254"]],
)
async def test_one_private_answer_refuses_the_name_without_telling_which(answers: list[str]) -> None:
    with pytest.raises(Refused, match="private_address") as refused:
        await Guard(resolve=Resolver(answers)).check("http://example.com/")
    assert not any(answer in str(refused.value) for answer in answers)


async def test_of_many_answers_all_are_judged_and_sixteen_are_used() -> None:
    many = [f"93.184.215.{n}" for n in range(40)]
    assert (await Guard(resolve=Resolver(many)).check("http://example.com/")).ips == tuple(many[:16])
    assert await code_of("http://example.com/", guard=Guard(resolve=Resolver([*many, "10.0.0.1"]))) == "private_address"


async def test_a_name_without_an_address_is_no_such_host() -> None:
    async def nobody(host: str, port: int) -> Sequence[str]:
        raise OSError("no address")

    assert await code_of("http://example.com/", guard=Guard(resolve=nobody)) == "no_such_host"
    assert await code_of("http://example.com/", guard=Guard(resolve=Resolver([]))) == "no_such_host"


async def test_a_resolver_that_never_answers_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    async def never(host: str, port: int) -> Sequence[str]:
        await asyncio.Event().wait()
        return ()

    monkeypatch.setattr("moot.web.guard.RESOLVE_S", 0.01)
    assert await code_of("http://example.com/", guard=Guard(resolve=never)) == "no_such_host"


@pytest.mark.parametrize(
    ("entries", "url", "answers", "code"),
    [
        (["10.1.0.0/16"], "http://10.1.2.3/", [], "open"),
        (["10.1.0.0/16"], "http://10.2.0.1/", [], "private_address"),
        (["10.1.0.0/16"], "http://[::ffff:10.1.2.3]/", [], "open"),
        (["10.1.0.0/16"], "http://wiki.example/", ["10.1.0.9"], "open"),
        (["wiki.corp.example"], "http://wiki.corp.example/", ["10.9.9.9"], "open"),
        (["wiki.corp.example"], "http://x.wiki.corp.example/", ["10.9.9.9"], "private_address"),
        (["wiki.corp.example"], "http://wiki.corp.example/", ["169.254.169.254"], "private_address"),
        (["wiki"], "http://WIKI/", ["10.0.0.1"], "open"),
        (["127.0.0.0/8"], "http://127.0.0.1:8123/", [], "open"),
        (["::1"], "http://[::1]/", [], "open"),
        (["127.0.0.1"], "http://127.1/", [], "address_form"),
        (["0.0.0.0/0", "::/0"], "http://169.254.169.254/", [], "private_address"),
        (["0.0.0.0/0", "::/0"], "http://100.100.100.200/", [], "private_address"),
        (["0.0.0.0/0", "::/0"], "http://[::ffff:169.254.169.254]/", [], "private_address"),
        (["0.0.0.0/0", "::/0"], "http://[2002:a9fe:a9fe::]/", [], "private_address"),
        (["metadata.google.internal"], "http://metadata.google.internal/", ["8.8.8.8"], "private_address"),
    ],
)
async def test_an_operator_lifts_the_range_of_what_is_named_and_never_of_metadata(
    entries: list[str], url: str, answers: list[str], code: str
) -> None:
    assert await code_of(url, guard=Guard(allowed(entries), resolve=Resolver(answers))) == code


@pytest.mark.parametrize("entry", ["", "10.0.0.0/99", "http://x.example/", "a b", "127.1", "*.example.com", "x:80"])
def test_an_entry_that_opens_nothing_is_an_error_that_names_it(entry: str) -> None:
    with pytest.raises(ValueError, match=r"neither a network|host"):
        allowed([entry])


async def test_an_operator_opens_a_port() -> None:
    guard = Guard(allowed(ports=[9_200]), resolve=Resolver())
    assert await code_of("http://example.com:9200/", guard=guard) == "open"
    assert await code_of("http://example.com:9201/", guard=guard) == "port"


@pytest.mark.parametrize(
    ("entries", "url", "code"),
    [
        ([], "http://example.com/", "offline"),
        ([], "http://8.8.8.8/", "offline"),
        ([], "http://127.0.0.1/", "private_address"),
        (["127.0.0.1"], "http://127.0.0.1/", "open"),
        (["localhost"], "http://localhost/", "open"),
        (["10.0.0.0/8", "wiki.example"], "http://10.0.0.1/", "offline"),
        (["10.0.0.0/8", "wiki.example"], "http://wiki.example/", "offline"),
    ],
)
async def test_offline_nothing_but_an_allowed_own_machine_is_reached_and_no_name_is_asked(
    entries: list[str], url: str, code: str
) -> None:
    resolver = Resolver(["127.0.0.1"])
    assert await code_of(url, guard=Guard(allowed(entries), resolve=resolver, offline=True)) == code
    assert resolver.asked == []


@pytest.mark.parametrize(
    "ip", ["168.63.129.16", "224.0.0.1", "::127.0.0.1", "64:ff9b::7f00:1", "2002:7f00:1::", "fec0::1", "3fff::1"]
)
def test_what_python_calls_global_is_not_taken_for_public(ip: str) -> None:
    assert not is_public(ip_address(ip))


@pytest.mark.parametrize(
    ("ip", "expected"),
    [("169.254.169.254", True), ("::ffff:a9fe:a9fe", True), ("10.0.0.1", False), ("fd00:ec2::254", True)],
)
def test_a_clouds_own_data_is_known_in_every_form(ip: str, expected: bool) -> None:
    assert is_metadata(ip_address(ip)) is expected

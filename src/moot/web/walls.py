"""Tells a page from what only looks like one: a wall, a shell without text, a page that says it is not there.

Nothing here gets past a wall; it is named, and the reader goes elsewhere.
"""

import re
from typing import Literal, NamedTuple
from urllib.parse import urlsplit

WallCode = Literal["bot_wall", "needs_browser", "paywall", "soft_404", "consent_wall", "proxy_error"]

REASONS: dict[WallCode, str] = {
    "bot_wall": "the site asks whether we are a person",
    "needs_browser": "the page is empty without a browser",
    "paywall": "most of it is for subscribers",
    "soft_404": "the page says that it is not there",
    "consent_wall": "there is nothing behind its question for consent",
    "proxy_error": "a server between could not load the page",
}


class Wall(NamedTuple):
    """What stands in the way. `partial`: what is visible may be read all the same, as a part."""

    code: WallCode
    partial: bool = False


_CHALLENGE = re.compile(
    r"cf-chl|cf-mitigated|challenge-platform|just a moment\s*\.\.\.|<title>\s*just a moment"
    r"|attention required! \| cloudflare|g-recaptcha|hcaptcha\.com|recaptcha/api|captcha-delivery|px-captcha"
    r"|_incapsula_resource|ddos-guard|verify(?:ing)? (?:that )?you are (?:a )?human|are you a robot|unusual traffic"
    r"|access denied[\s\S]{0,400}reference\s*(?:#|id|number)|验证码|访问过于频繁|安全验证|人机验证|滑动验证",
    re.IGNORECASE,
)
_CONSENT = re.compile(
    r"before you continue to|we value your privacy|accept (?:all )?cookies|cookie consent"
    r"|consent\.(?:google|yahoo|youtube)|同意.{0,12}cookie|接受.{0,8}cookie",
    re.IGNORECASE,
)
_PAYWALLED = re.compile(
    r"\"isaccessibleforfree\"\s*:\s*\"?false|class=\"[^\"]*\b(?:paywall|subscriber-only|premium-content|meter-wall)\b",
    re.IGNORECASE,
)
_PAY_WORDS = re.compile(
    r"subscribe to (?:continue|read|keep reading)|subscribers? only|to continue reading"
    r"|create (?:a free|an) account to (?:read|continue)|already a subscriber"
    r"|付费阅读|付费内容|订阅后(?:可|继续)|开通会员|登录后(?:查看|阅读|继续)|购买(?:全文|后阅读)",
    re.IGNORECASE,
)
_LOGIN = re.compile(r"<input[^>]+type=[\"']?password", re.IGNORECASE)
_SHELL = re.compile(
    r"<(?:div|main|section)[^>]+id=[\"']?(?:root|app|__next|__nuxt|main|app-root|react-root|svelte)[\"']?[^>]*>"
    r"\s*(?:</|<noscript)",
    re.IGNORECASE,
)
_NO_SCRIPT = re.compile(
    r"<noscript[^>]*>[\s\S]{0,600}?(?:enable|turn on|requires?|without|启用|开启)[\s\S]{0,60}?javascript", re.IGNORECASE
)
_SCRIPT = re.compile(r"<script\b", re.IGNORECASE)
_NOT_THERE = re.compile(
    r"\b404\b|\bnot found\b|page (?:can(?:no|')t|could not|does ?n[o']t) (?:be found|exist)"
    r"|no longer (?:available|exists)|页面不存在|页面未找到"
    r"|找不到(?:该|此|您|你|相关)?.{0,6}页面|内容不存在|(?:文章|内容|页面)已(?:被)?删除",
    re.IGNORECASE,
)
_PROXY = re.compile(
    r"\A\W*(?:fail(?:ed)? to load page|upstream (?:connect error|request timeout)|bad gateway|gateway time-?out"
    r"|proxy error|err_[a-z_]+|this site can.t be reached|no healthy upstream)",
    re.IGNORECASE,
)
_BLANKS = re.compile(r"\s+")
_PARAGRAPH = re.compile(r"\n\s*\n")


def wall(
    page: str, text: str, *, status: int = 200, title: str = "", requested: str = "", final: str = ""
) -> Wall | None:
    """What stands between us and the page; None when it is one.

    `page`: its HTML. `text`: what was made readable of it, `` when nothing could be.
    """
    visible = len(_BLANKS.sub("", text))
    told = f"{title}\n{text[:3_000]}"
    if (visible <= 1_500 or status in (403, 429, 503)) and _CHALLENGE.search(f"{page[:200_000]}\n{told}"):
        return Wall("bot_wall")
    if status != 200:
        return None
    if visible <= 600 and (_NOT_THERE.search(_headline(title, text)) or _sent_home(requested, final)):
        return Wall("soft_404")
    if visible <= 600 and _PROXY.search(text):
        return Wall("proxy_error")
    if _is_paywalled(page, text, visible):
        return Wall("paywall", partial=visible > 0)
    if visible < 200 and _CONSENT.search(f"{page[:200_000]}\n{told}"):
        return Wall("consent_wall")
    if visible < 200 and _SCRIPT.search(page) and (_SHELL.search(page) or _NO_SCRIPT.search(page)):
        return Wall("needs_browser")
    return None


def _headline(title: str, text: str) -> str:
    first = next((line for line in text.splitlines() if line.strip()), "")
    return f"{title}\n{first if first.startswith('#') or len(first) <= 80 else ''}"


def _sent_home(requested: str, final: str) -> bool:
    """Whether a deep address was answered by a site's front page."""
    asked, came = urlsplit(requested), urlsplit(final)
    return len(asked.path.strip("/")) > 0 and bool(final) and came.path in ("", "/") and not came.query


def _is_paywalled(page: str, text: str, visible: int) -> bool:
    paragraphs = [part for part in _PARAGRAPH.split(text) if len(part.strip()) > 60]
    if _PAYWALLED.search(page) and len(paragraphs) <= 3:
        return True
    if visible <= 1_500 and _PAY_WORDS.search(text):
        return True
    return visible <= 300 and bool(_LOGIN.search(page))

import pytest

from moot.web.walls import REASONS, Wall, wall

LONG = "A paragraph of an article that goes on for a good while, as articles do. " * 3
ARTICLE = "\n\n".join(["# Dams", *[LONG] * 10])
CHINESE = "\n\n".join(["# 大坝", *["水库的蓄水量在汛期之前降低，以便容纳洪水。" * 12] * 6])


def html(body: str, title: str = "Dams") -> str:
    return f"<html><head><title>{title}</title></head><body>{body}</body></html>"


@pytest.mark.parametrize(
    ("page", "text", "code"),
    [
        (html("<p>x</p>"), ARTICLE, None),
        (html("<p>x</p>"), CHINESE, None),
        (html("<p>x</p>"), "Short but a page.", None),
        (html("<script src=a.js></script><p>Short</p>"), "Short", None),
        (html("<div id='root'></div><script src=a.js></script>"), "", "needs_browser"),
        (html('<div id="__next"></div><script>1</script>'), "", "needs_browser"),
        (html('<div id=app> </div><script>1</script>'), "Loading…", "needs_browser"),
        (html("<noscript>You need to enable JavaScript.</noscript><script>1</script>"), "", "needs_browser"),
        (html("<noscript>请启用 JavaScript 后继续</noscript><script>1</script>"), "", "needs_browser"),
        (html("<div id=root></div><script>1</script>"), ARTICLE, None),
        (html("<div class='cf-chl-widget'></div>", "Just a moment..."), "Checking your browser", "bot_wall"),
        (html("<iframe src='https://hcaptcha.com/1'></iframe>"), "One more step", "bot_wall"),
        (html("<p>x"), "Access Denied\n\nYou don't have permission. Reference #18.2d351ab8", "bot_wall"),
        (html("<p>x"), "请输入验证码", "bot_wall"),
        (html("<p>x"), "您的访问过于频繁，请稍后再试", "bot_wall"),
        (html("<p>x"), "百度安全验证", "bot_wall"),
        (html("<p>x"), ARTICLE + "\n\nWhat is a captcha? 验证码 is its Chinese name.", None),
        (html("<p>x"), ARTICLE + "\n\nThe error 404 means not found.", None),
        (html('<script type="application/ld+json">{"isAccessibleForFree": false}</script>'), LONG, "paywall"),
        (html('<script type="application/ld+json">{"isAccessibleForFree":"False"}</script>'), ARTICLE, None),
        (html('<div class="article paywall">'), f"{LONG}\n\n{LONG}", "paywall"),
        (html("<p>x"), f"{LONG}\n\nSubscribe to continue reading.", "paywall"),
        (html("<p>x"), "导语。\n\n本文为付费阅读内容。", "paywall"),
        (html("<p>x"), "登录后查看全文", "paywall"),
        (html("<form><input name=u><input type='password'></form>"), "Sign in", "paywall"),
        (html("<form><input type=password></form>"), ARTICLE, None),
        (html("<h1>404</h1>", "404 Not Found"), "# 404\n\nNothing here.", "soft_404"),
        (html("<p>x", "页面不存在"), "您访问的页面不存在", "soft_404"),
        (html("<p>x", "Oops"), "# Page not found\n\nTry searching.", "soft_404"),
        (html("<p>x", "A history of 404"), ARTICLE, None),
        (html("<button>Accept all cookies</button>"), "Before you continue to the site", "consent_wall"),
        (html("<p>We value your privacy. Accept cookies</p>"), ARTICLE, None),
        (html("<p>x"), "Fail to load page: net::ERR_TIMED_OUT", "proxy_error"),
        (html("<p>x"), "upstream connect error or disconnect/reset before headers", "proxy_error"),
    ],
)  # fmt: skip
def test_a_page_that_is_none_is_named(page: str, text: str, code: str | None) -> None:
    title = page.split("<title>")[1].split("</title>")[0]
    found = wall(page, text, title=title)
    assert (found.code if found else None) == code


@pytest.mark.parametrize("status", [403, 429, 503])
def test_a_challenge_is_known_behind_its_status_at_any_length(status: int) -> None:
    assert wall(html("<script src='/cdn-cgi/challenge-platform/x'></script>"), ARTICLE, status=status) == Wall(
        "bot_wall"
    )
    assert wall(html("no"), "Forbidden", status=status) is None


@pytest.mark.parametrize(
    ("requested", "final", "code"),
    [
        ("https://a.example/news/2020/x", "https://a.example/", "soft_404"),
        ("https://a.example/news/2020/x", "https://a.example", "soft_404"),
        ("https://a.example/", "https://www.a.example/", None),
        ("https://a.example/old", "https://a.example/new", None),
        ("https://a.example/x", "https://a.example/?id=3", None),
    ],
)
def test_a_deep_address_answered_by_the_front_page_is_not_there(requested: str, final: str, code: str | None) -> None:
    found = wall(html("<p>Home</p>"), "Welcome to our site", requested=requested, final=final)
    assert (found.code if found else None) == code


def test_what_is_visible_before_a_paywall_is_a_part() -> None:
    assert wall(html('<div class="paywall">'), LONG) == Wall("paywall", partial=True)
    assert wall(html('<div class="paywall">'), "") == Wall("paywall", partial=False)


def test_every_wall_has_its_reason() -> None:
    assert set(REASONS) == {"bot_wall", "needs_browser", "paywall", "soft_404", "consent_wall", "proxy_error"}
    assert all(reason and not reason.endswith(".") for reason in REASONS.values())

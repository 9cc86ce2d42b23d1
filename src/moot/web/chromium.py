"""Where a Chromium is, and how it is started so that it speaks to nobody but our proxy. Opening pages: browser.py."""

import importlib.util
import shutil

from moot.web.terms import Terms

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
FLAGS = (
    "--proxy-bypass-list=<-loopback>",  # without it, loopback would be reached past the proxy
    "--disable-quic",
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--dns-prefetch-disable",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-domain-reliability",
    "--disable-sync",
    "--disable-default-apps",
    "--no-first-run",
    "--no-pings",
    "--disable-features=Translate,OptimizationHints,MediaRouter,AutofillServerCommunication,DnsOverHttps",
)


def browser_path() -> str:
    """Where a browser is installed; `` when there is none."""
    return next((found for name in NAMES if (found := shutil.which(name))), "")


def why_missing() -> str:
    """Why no page can be opened in a browser here; `` when one can."""
    if importlib.util.find_spec("playwright") is None:
        return 'the browser needs playwright: pip install "moot[browser]"'
    if not browser_path():
        return "no Chromium is installed (Debian: apt-get install chromium)"
    return ""


def no_browser(terms: Terms) -> str:
    """Why pages are opened in no browser on an operator's terms; `` when they are."""
    if not terms.browser:
        return "opening it in one is turned off (web.browser)"
    if terms.proxy:  # Chromium's way goes through a proxy of ours, which checks and pins, and goes through no other
        return "none is opened where web.proxy is set"
    return why_missing()

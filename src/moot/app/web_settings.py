"""Settings of the web: whether and by which engines a run searches it, and the operator's terms for all runs.

What has no flag is the operator's alone: it is read from this process's settings at every walk, and kept with no run.
"""

from typing import Literal

from pydantic import field_validator
from pydantic_core import PydanticCustomError

from moot.app.setting import setting
from moot.values.value import Value
from moot.web.guard import allowed
from moot.web.terms import Terms


class WebSettings(Value):
    """What every team's run may be given of the web."""

    web: bool | None = setting(
        None, "--web/--no-web",
        "Search the web and read its pages: on without --docs, off with it.",
        zh="检索网络并阅读网页：没有 --docs 时默认开启，给出 --docs 时默认关闭。",
        file="web.enabled",
    )  # fmt: skip
    engine: tuple[str, ...] = setting(
        (), "--engine",
        "Search engine to ask, by name. May be repeated: all are asked and their results merged.",
        zh="要使用的搜索引擎，可重复给出：全部查询并合并结果。",
        file="web.engines",
    )  # fmt: skip
    offline: bool = setting(
        False, "--offline", "Reach nothing but this machine.", zh="不访问本机以外的任何地址。"
    )  # fmt: skip
    web_base_urls: dict[str, str] = setting(
        {}, "", "Where search engines are asked, by name: a SearXNG of one's own, a relay to one with a key.",
        zh="各搜索引擎的访问地址，按名称给出：自建的 SearXNG，或带密钥引擎的中转地址。", file="web.base_urls",
    )  # fmt: skip
    web_allow: tuple[str, ...] = setting(
        (), "", "Networks and hosts opened beyond the public internet: 10.1.0.0/16, wiki.corp.example.",
        zh="在公共互联网之外放行的网段与主机：10.1.0.0/16、wiki.corp.example。", file="web.allow",
    )  # fmt: skip
    web_ports: tuple[int, ...] = setting(
        (), "", "Ports opened beyond 80, 443 and 8000 to 8999.", zh="除 80、443 与 8000 至 8999 外放行的端口。",
        file="web.ports",
    )  # fmt: skip
    web_proxy: str = setting(
        "", "", "Proxy that all of the web is reached through; it looks names up, and no browser is opened then.",
        zh="访问网络所经的代理：域名由它解析，此时不使用浏览器。", file="web.proxy",
    )  # fmt: skip
    web_robots: Literal["polite", "off"] = setting(
        "polite", "", "Whether robots.txt is obeyed: polite, off.", zh="是否遵守 robots.txt：polite（遵守）、off。",
        file="web.robots",
    )  # fmt: skip
    web_contact: str = setting(
        "", "", "How a site's owner reaches you: an address of mail or web, told in the User-Agent.",
        zh="站点管理者的联系方式（邮箱或网址），写入 User-Agent。", file="web.contact",
    )  # fmt: skip
    web_agent: str = setting(
        "", "", "The whole User-Agent in place of moot's own.", zh="完整的 User-Agent，替代默认值。", file="web.agent"
    )
    web_allow_downgrade: bool = setting(
        False, "", "Follow a redirect from https to http.", zh="允许从 https 跳转到 http。", file="web.allow_downgrade"
    )
    web_browser: bool = setting(
        True, "", "Open a page that is empty without a browser in Chromium, where it is installed.",
        zh="对离开浏览器便无内容的网页，在已安装 Chromium 时用它打开。", file="web.browser",
    )  # fmt: skip
    web_between_seconds: float = setting(
        1.0, "", "Seconds between two requests to one host.", zh="对同一主机两次请求之间的秒数。",
        file="web.between_seconds", least=0,
    )  # fmt: skip
    web_page_seconds: float = setting(
        60.0, "", "Seconds one page may take.", zh="读取一个网页的最长秒数。", file="web.page_seconds", least=1
    )
    web_page_megabytes: float = setting(
        15.0, "", "Megabytes one page may bring.", zh="一个网页的最大兆字节数。", file="web.page_megabytes", least=0.001
    )
    web_pages: int = setting(
        200, "", "Pages one run may ask for.", zh="一次运行最多请求的网页数。", file="web.pages", least=1
    )
    web_megabytes: float = setting(
        500.0, "", "Megabytes one run may bring.", zh="一次运行最多下载的兆字节数。", file="web.megabytes", least=0.001
    )

    @field_validator("web_allow")
    @classmethod
    def _is_allowed(cls, entries: tuple[str, ...]) -> tuple[str, ...]:
        for entry in entries:
            try:
                allowed([entry])
            except ValueError as wrong:
                chinese = f"既不是网段（如 10.1.0.0/16），也不是主机名：{entry}"
                raise PydanticCustomError("allow", "{english}", {"english": str(wrong), "zh": chinese}) from wrong
        return entries

    @field_validator("web_ports")
    @classmethod
    def _is_port(cls, ports: tuple[int, ...]) -> tuple[int, ...]:
        for port in ports:
            if not 0 < port < 65_536:
                raise PydanticCustomError("port", "must be from 1 to 65535", {"zh": "应为 1 至 65535"})
        return ports

    def terms(self) -> Terms:
        """What the operator allows of the web."""
        return Terms(
            allow=self.web_allow,
            ports=self.web_ports,
            proxy=self.web_proxy,
            contact=self.web_contact,
            agent=self.web_agent,
            obey_robots=self.web_robots == "polite",
            allow_downgrade=self.web_allow_downgrade,
            browser=self.web_browser,
            base_urls=self.web_base_urls,
            between_s=self.web_between_seconds,
            page_s=self.web_page_seconds,
            page_bytes=round(self.web_page_megabytes * 1_000_000),
            pages=self.web_pages,
            bytes=round(self.web_megabytes * 1_000_000),
        )

"""Settings of every team's run: a field is a flag, a variable and a line of settings.toml. app/gather.py finds them."""

from typing import Annotated, Literal

from pydantic import Field, JsonValue

from moot.app.sandbox_settings import SandboxSettings
from moot.app.setting import setting
from moot.app.web_settings import WebSettings
from moot.models.named import Named
from moot.models.prices import Price
from moot.values.runs import Judging, Style
from moot.values.usage import Limits
from moot.web.knowledge.chosen import Account
from moot.web.mcp.server import Server


class Settings(WebSettings, SandboxSettings):
    """What every team's run may be given."""

    docs: tuple[str, ...] = setting(
        (), "--docs",
        "Documents to search: `python` (the language reference), a file, a folder, docs://…. May be repeated.",
        zh="要检索的文档：`python`（语言参考手册）、文件、文件夹或 docs://…，可重复给出。",
        file="docs.paths",
    )  # fmt: skip
    no_model: bool = setting(
        False, "--no-model", "Ask no model: understudies play every role.", zh="不使用模型，所有角色由替补完成。"
    )  # fmt: skip
    model: tuple[str, ...] = setting(
        (), "--model",
        "TIER=NAME or ROLE=NAME: what plays a tier (fast, strong, vision) or a role. May be repeated.",
        zh="TIER=NAME 或 ROLE=NAME：指定某一档（fast、strong、vision）或某个角色所用的模型，可重复给出。",
    )  # fmt: skip
    fast: Named = setting(Named(), "", "The model of the fast tier.", zh="fast 档所用的模型。", file="models.fast")
    strong: Named = setting(
        Named(), "", "The model of the strong tier.", zh="strong 档所用的模型。", file="models.strong"
    )
    vision: Named = setting(
        Named(), "", "The model of the vision tier.", zh="vision 档所用的模型。", file="models.vision"
    )
    roles: dict[str, Named] = setting(
        {}, "", "Models of single roles: `reporter` or `research.reporter`.",
        zh="单个角色所用的模型：`reporter` 或 `research.reporter`。", file="models.roles",
    )  # fmt: skip
    profiles: dict[str, dict[str, JsonValue]] = setting(
        {}, "", "What single models can do, by provider:model or a pattern of it; wins over what moot knows.",
        zh="单个模型的能力，按 provider:model 或其通配写法给出；优先于 moot 自带的说明。", file="models.profiles",
    )  # fmt: skip
    price: tuple[str, ...] = setting(
        (), "--price",
        "NAME=IN/OUT: what a model costs, in dollars a million tokens. May be repeated.",
        zh="NAME=IN/OUT：某个模型的价格，单位为美元每百万 token，可重复给出。",
    )  # fmt: skip
    prices: dict[str, Price] = setting(
        {}, "", "What models cost, by provider:model or a pattern of it, in dollars a million tokens.",
        zh="模型的价格，按 provider:model 或其通配写法给出，单位为美元每百万 token。", file="models.prices",
    )  # fmt: skip
    locale: str = setting(
        "", "--locale", "Language of the report, such as en-US or zh-CN.", zh="报告语言，如 en-US 或 zh-CN。"
    )
    style: Style | None = setting(
        None, "--style", "Style of the report; without it, the team's own.", zh="报告的风格；不设则用团队自己的风格。"
    )
    yes: bool = setting(
        False, "--yes/-y",
        "Take every plan and ask nothing; never an approval.",
        zh="接受所有计划，不再提问；但从不代为批准工具。",
    )  # fmt: skip
    wait_seconds: float | None = setting(
        None, "--wait-seconds", "How long a question waits for a person; without it, for ever.",
        zh="提问等待答复的秒数；不设则一直等待。", least=1,
    )  # fmt: skip
    on_timeout: Literal["cancel", "accept"] = setting(
        "cancel", "--on-timeout", "What happens when a question was not answered in time.", zh="提问超时后的处理方式。"
    )  # fmt: skip
    approve: tuple[str, ...] = setting(
        (), "--approve", "Ask a person before each call of this tool. May be repeated.",
        zh="每次调用该工具前先征得同意，可重复给出。",
    )  # fmt: skip
    workspace: str = setting(
        "", "--workspace",
        "Folder that agents work in, in place; without it, one of the run's own. For teams whose agents work on files.",
        zh="智能体直接在其中工作的文件夹；不设则用运行自己的文件夹。适用于其智能体处理文件的团队。",
    )  # fmt: skip
    mcp: tuple[str, ...] = setting(
        (), "--mcp",
        "Outside server whose tools this run may use, by its name in the settings. May be repeated.",
        zh="本次运行可使用其工具的外部服务器，按设置中的名称给出，可重复。",
    )  # fmt: skip
    servers: dict[str, Server] = setting(
        {}, "", "Outside servers, each a table [mcp.NAME]: a command or a url, and what of it is offered.",
        zh="外部服务器，每个一张表 [mcp.NAME]：命令或网址，以及提供哪些工具。", file="mcp",
    )  # fmt: skip
    rag: dict[str, Account] = setting(
        {}, "", "Outside knowledge bases, each provider a table [rag.dify] or [rag.ragflow]: base_url, key, datasets.",
        zh="外部知识库，每个服务一张表 [rag.dify] 或 [rag.ragflow]：base_url、key、datasets。",
    )  # fmt: skip
    judge: Judging = setting(
        "other_language", "",
        "Which claims a model judges, where one is set: off, other_language, all.",
        zh="有模型时由模型复核哪些陈述：off（不复核）、other_language（与来源语言不同的）、all（全部）。",
        file="evidence.judge",
    )  # fmt: skip
    repair: Annotated[int, Field(le=2)] = setting(
        1, "", "Rounds in which a report's writer mends what did not pass: 0 to 2.",
        zh="报告作者修改未通过核验语句的轮数：0 至 2。", file="evidence.repair", least=0,
    )  # fmt: skip
    keep_failed_reads: bool = setting(
        True, "", "Keep what could not be read too, with its error.", zh="无法读取的内容也连同错误一并保存。",
        file="evidence.keep_failed_reads",
    )  # fmt: skip
    max_tokens: int | None = setting(
        None,
        "--max-tokens",
        "Tokens this run may use.",
        zh="本次运行最多使用的 token 数。",
        file="limits.tokens",
        least=1,
    )
    max_usd: float | None = setting(
        None,
        "--max-usd",
        "Dollars this run may spend.",
        zh="本次运行最多花费的美元数。",
        file="limits.usd",
        least=0.000001,
    )
    max_seconds: float | None = setting(
        None, "--max-seconds", "Seconds this run may take, waiting aside.", zh="本次运行最多用时（秒），不计等待。",
        file="limits.seconds", least=1,
    )  # fmt: skip
    max_calls: int | None = setting(
        None,
        "--max-calls",
        "Model calls this run may make.",
        zh="本次运行最多调用模型的次数。",
        file="limits.calls",
        least=1,
    )
    db: str = setting(
        "",
        "",
        "Where runs are kept; empty: SQLite in the data folder.",
        zh="运行记录存放处；留空即数据目录中的 SQLite。",
    )

    def is_online(self) -> bool:
        """Whether the web is searched: own documents are not told to a search engine unasked."""
        return self.web if self.web is not None else not self.docs and not self.offline

    def limits(self) -> Limits:
        """What the run may spend: moot's own limits where nothing else was said."""
        said = {
            "tokens": self.max_tokens,
            "usd_micro": None if self.max_usd is None else round(self.max_usd * 1_000_000),
            "seconds": self.max_seconds,
            "calls": self.max_calls,
        }
        return Limits.model_validate({name: value for name, value in said.items() if value is not None})

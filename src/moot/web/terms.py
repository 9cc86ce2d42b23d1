"""What the operator allows of the web, from settings alone: never from a request, a page or a model."""

from moot.values.value import Value


class Terms(Value):
    """The operator's word on where runs of this data folder may go, and how they show and behave there."""

    allow: tuple[str, ...] = ()
    """Networks and names that are opened beyond the public internet."""
    ports: tuple[int, ...] = ()
    proxy: str = ""
    """A proxy that all requests go through; `` for none. Variables of the environment name none."""
    contact: str = ""
    agent: str = ""
    """The whole User-Agent; `` for moot's own, with the contact."""
    obey_robots: bool = True
    allow_downgrade: bool = False
    browser: bool = True
    """Whether a page that is empty without a browser may be opened in one, if one is installed."""
    base_urls: dict[str, str] = {}
    """Where search engines are asked, by name."""
    between_s: float = 1.0
    """Seconds between two requests of one host."""
    page_s: float = 60.0
    page_bytes: int = 15_000_000
    pages: int = 200
    """Of one run; and so many bytes."""
    bytes: int = 500_000_000

    def user_agent(self, version: str) -> str:
        """How moot shows itself to a server."""
        return self.agent or f"moot/{version}" + (f" (+{self.contact})" if self.contact else "")

"""The words for where a run stands: closed sets, the same in the journal, the service, the CLI and the page."""

from typing import Literal

Status = Literal["queued", "running", "waiting", "finished", "budget_spent", "failed", "cancelled"]
Ending = Literal["done", "partial", "nothing_found", "replied", "refused", "declined", "failed", "cancelled"]
OVER: tuple[Status, ...] = ("finished", "budget_spent", "failed", "cancelled")
Style = Literal["academic", "popular_science", "news", "social_media", "strategic_investment", "executive"]
Judging = Literal["off", "other_language", "all"]
"""Which claims of a report a model judges."""

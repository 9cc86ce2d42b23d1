"""What a run may touch, opened by app/wiring.py and handed in whole. The journal is the run's own: not among them."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from moot.evidence.store import Store
from moot.models.port import Models
from moot.prompts.render import Prompts
from moot.sandbox.tiers import Served
from moot.text.redact import Secrets
from moot.toolkit.kept_files import KeptFiles
from moot.toolkit.tool import Tool
from moot.values.browsing import Browsers
from moot.values.outside import Outside
from moot.values.ports import Documents, Knowledge, Sandbox, Web


@dataclass(frozen=True, slots=True)
class Doors:
    """Frozen; shared by every scope of one run."""

    models: Models
    prompts: Prompts
    store: Store
    tools: Mapping[str, Tool] = field(default_factory=dict)
    """Every tool that can work here, by name; an agent names those it is granted."""
    documents: Documents | None = None
    knowledge: Knowledge | None = None
    sources: tuple[str, ...] = ()
    """Addresses of the given collections, named in prompts: `docs://python`."""
    browsers: Browsers | None = None
    """None: no browser is opened in this run."""
    outside: Outside | None = None
    """The outside servers whose tools are among `tools`; None: there are none."""
    sandbox: Sandbox | None = None
    served: Mapping[str, Served] = field(default_factory=dict)
    """By tool: the sandbox tier that runs its code, or why none does."""
    workspace: Path | None = None
    files: KeptFiles | None = None
    """Keeps what is done to the workspace; None: nothing of it is kept."""
    own: Path | None = None
    """The run's own folder that code sees as /workspace/.moot."""
    web: Web | None = None
    """None: the web is off in this run."""
    nobody_there: bool = False
    """True with --yes: plans are taken, clarifying questions not put, approvals refused."""
    wait_s: float | None = None
    """How long a question waits before its default is taken; None: for ever."""
    accept_late: bool = False
    """With `wait_s`: a plan nobody answered is accepted, instead of the run being cancelled."""
    approve: frozenset[str] = frozenset()
    """Tools that a person must allow before each call."""
    secrets: Secrets = field(default_factory=Secrets)
    """What must not be seen: covered in whatever the run keeps and tells."""
    live: Callable[[str, str, str], None] | None = None
    """Told of live text: (key, `text` or `thought`, piece). Not kept."""

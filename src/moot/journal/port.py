"""The journal's acts, each one commit (durable when it returns); contract: tests/contracts/test_journal.py.

Every act of a walker names its claim and raises FencedOff when a newer epoch owns the run or the lease is over.
Acts that wait for the disk at one moment share one commit. Any act raises JournalDown when it cannot be written;
every act may be tried again then, and what was written after all is not written twice.
A new event whose key ends in `#` is numbered by the journal, 1, 2, … per name: `!answered#` becomes `!answered#2`.
"""

from collections.abc import Collection, Sequence
from typing import Protocol

from moot.journal.records import Claim, Entry, NewRun, RunFilter, RunRecord, Visit
from moot.values.events import Ended, Event, NewEvent
from moot.values.questions import Answer, Question
from moot.values.usage import Limits
from moot.values.value import Key, QuestionId, RunId


class Journal(Protocol):
    """Runs, entries, events, questions and blobs."""

    # a run's life

    async def start(self, new: NewRun, events: Sequence[NewEvent] = ()) -> RunRecord:
        """Makes the run, queued. The same parent and start_key give the run that is already there."""
        ...

    async def claim(self, run: RunId, holder: str, events: Sequence[NewEvent] = ()) -> Claim:
        """Takes a queued run, or one whose walker is lost: epoch + 1, running. Raises RunRefused(still_going) when
        someone lives, already_finished when it is over, not_accepted when it waits for an answer or is held,
        run_unknown, run_forgotten; crashed_thrice when three epochs in a row were lost with nothing new kept: the run
        is failed then, with its `ended` event."""
        ...

    async def renew(self, claim: Claim) -> None:
        """Lengthens the lease by 20 s from now."""
        ...

    async def wait(
        self, claim: Claim, questions: Sequence[Question], events: Sequence[NewEvent] = (), *, seconds: float = 0.0
    ) -> RunRecord:
        """Open questions, run waiting, nobody holds it; queued at once if one of them got its answer meanwhile.
        Their `ask` entries are begun before. Open questions that are not among these are superseded."""
        ...

    async def answer(
        self, question: QuestionId, answer: Answer, *, digest: str, by: str, event: NewEvent, held: bool = False
    ) -> RunRecord:
        """Takes the first answer: its `ask` entry is kept (reply: the answer's JSON) and the run queued, if it waits.
        Raises RunRefused(already_answered | question_gone | already_finished), naming by whom and when."""
        ...

    async def end(
        self, claim: Claim, ended: Ended, *, report: str = "", seconds: float = 0.0, held: bool = False,
        events: Sequence[NewEvent] = (),
    ) -> RunRecord:  # fmt: skip
        """Lets go of the run: over, or queued (paused: held; drained). Its begun entries give back what they held.
        Without a report the last one stays. `seconds`, here and in `wait`, is what this walk ran; the journal adds
        it up, and what a lost epoch ran."""
        ...

    async def requeue(
        self, run: RunId, *, reason: str, limits: Limits | None = None, aside: Sequence[str] = (),
        events: Sequence[NewEvent] = (),
    ) -> tuple[RunRecord, list[Key]]:  # fmt: skip
        """Makes a run that is over but not finished, or held, queued again. `aside` holds `failed` and dimensions
        (tokens, usd, seconds, calls) whose kept failures or refusals are set aside; gives their keys. A question that
        was cancelled by time is always set aside, to be asked again. A run whose walker is lost keeps its status, for
        `claim` to take over. With something set aside, or other limits, the next walk begins at START.
        Raises RunRefused(already_finished | still_going)."""
        ...

    async def ask_cancel(self, run: RunId, *, at: float, report_now: bool = False) -> RunRecord:
        """Marks that a person wants the run stopped; one that nobody walks is cancelled at once (with its `ended`
        event). With `report_now` it is only marked, and a waiting one queued. Of a run that is over nothing changes."""
        ...

    async def fork(self, source: RunId, at: Key | None, new: NewRun, *, events: Sequence[NewEvent] = ()) -> RunRecord:
        """Makes a run with the source's entries of smaller seq than `at`'s that are not merely begun, marked carried.
        Raises RunRefused(key_unknown) naming the three nearest keys."""
        ...

    async def forget(self, run: RunId) -> None:
        """Deletes everything of a run but its id, owner and times, and blobs no other run uses. Raises
        RunRefused(still_going) while someone walks it: cancel it first. Again is no error.

        The caller also forgets: `Store.forget(run)`, LangGraph's threads `run:*`, `runs/<run>/`, saved reports."""
        ...

    # entries, while walking

    async def begin(self, claim: Claim, entry: Entry) -> int:
        """Keeps that a call is begun (again): inserts, or updates tries and epoch. Gives its seq."""
        ...

    async def keep(self, claim: Claim, entry: Entry, events: Sequence[NewEvent] = ()) -> None:
        """Keeps how a call ended: reply, failure, refusal or unknown; what was never begun is kept at once. The first
        outcome stays. A reply over 16 MiB is kept as a failure and raised: ToolFailed(too_large), or
        ModelFailed(malformed)."""
        ...

    async def set_aside(self, claim: Claim, key: Key, event: NewEvent) -> int:
        """Puts an entry that followed from a refusal out of the way; gives the rev that the next begin under its key
        will have. The seq stays the key's."""
        ...

    async def visited(self, claim: Claim, visit: Visit) -> None:
        """Keeps that a node began at a step; durable before its checkpoint is. Twice the same is one."""
        ...

    async def walked_from_start(self, claim: Claim) -> None:
        """This epoch walks from START: from_start is its number."""
        ...

    async def note(self, claim: Claim, events: Sequence[NewEvent]) -> None:
        """Appends events; one whose key exists is not written again."""
        ...

    # reading

    async def run(self, run: RunId) -> RunRecord:
        """Raises RunRefused(run_unknown)."""
        ...

    async def runs(self, which: RunFilter) -> list[RunRecord]: ...

    async def named(self, prefix: str) -> list[RunId]:
        """Ids that begin so; `last` gives the newest run."""
        ...

    async def entries(self, run: RunId) -> list[Entry]:
        """The newest rev of each key, in order of seq; keys whose newest rev was set aside are not among them."""
        ...

    async def aside(self, run: RunId) -> list[Entry]:
        """Entries that were set aside, of every rev: what they used was used."""
        ...

    async def revs(self, run: RunId) -> dict[Key, int]:
        """For each key whose newest entry was set aside: the rev its next begin will have (for Idempotency-Keys).
        The rev of any other new key is 0."""
        ...

    async def entry(self, run: RunId, key: Key) -> Entry | None:
        """The newest rev under a key; None when there is none or it was set aside."""
        ...

    async def visits(self, run: RunId, epoch: int) -> list[Visit]: ...

    async def events(self, run: RunId, *, after: int = 0, limit: int = 200) -> list[Event]: ...

    async def questions(self, run: RunId) -> list[Question]: ...

    async def question(self, question: QuestionId) -> Question | None: ...

    # bytes (the port `Blobs` of values/ports.py)

    async def put(self, run: str, body: bytes) -> str: ...

    async def get(self, sha256: str) -> bytes | None: ...

    async def drop(self, sha256s: Collection[str]) -> int: ...

    # and the port `Contents`

    async def put_all(self, run: str, bodies: Sequence[bytes]) -> list[str]: ...

    async def share(self, run: str, sha256s: Collection[str]) -> None: ...

    async def close(self) -> None: ...

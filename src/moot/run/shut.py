"""What is raised in place of a call while the doors are shut: in a replay, in a rehearsal, while pausing."""

from moot.values.errors import LiveDoorShut, WaitingForHuman
from moot.values.value import Key


class Suspended(WaitingForHuman):
    """Leaves a node that may begin no new call for now. Its siblings go on to their own next call; nobody is asked."""


def suspended(key: Key) -> Suspended:
    """For a pause or a rehearsal: this node goes no further, the others are not hurt."""
    return Suspended(())


def live_door_shut(key: Key) -> LiveDoorShut:
    """For a strict replay."""
    return LiveDoorShut(f"live_door_shut: {key} was never kept, and a replay makes no call.")

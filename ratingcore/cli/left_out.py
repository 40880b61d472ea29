"""Notes about results of a pool that a method cannot read, for commands whose rows do not hold them."""

from typing import TYPE_CHECKING

from ratingcore.cli.console import note

if TYPE_CHECKING:
    from ratingcore.columns import View


def note_left_out(view: "View") -> None:
    """Tells how many results were left out of the view that a method rated, and why."""
    for sentence in view.odd.told(view.through):
        note(sentence)

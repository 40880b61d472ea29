"""What tests of the laboratory are made of: a small world, and contenders by their texts."""

from attrs import evolve
from ratingcore_laboratory import Contender, Laboratory, Trial, World, combinations

from ratingcore.registry import Registry

method = Registry.installed().method
SMALL = World(players=60, rounds=5, joining_mean=4.0, joining_sd=2.0, leaving_mean=4.0, leaving_sd=2.0, games_mean=8.0)
THESIS = combinations(method)


def contender(text: str, name: str = "", start: float | None = None) -> Contender:
    """A contender named by its text."""
    return Contender.of(name or text, method(text), start)


def run(*texts: str, seed: int = 1, keep: bool = False, **changed: object) -> Trial:
    """A run of the small world, changed in some parameters."""
    world = evolve(SMALL, **changed)  # type: ignore[arg-type]  # parameters by name
    return Laboratory(world, [contender(text) for text in texts], seed, keep=keep).run()

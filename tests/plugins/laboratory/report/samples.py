"""Studies for reports: one of a world of the source study, and strange ones."""

from functools import cache

from attrs import evolve
from ratingcore_laboratory import World
from ratingcore_laboratory.study import Study, simulate

from tests.plugins.laboratory.making import SMALL, THESIS, contender

STRANGE = "</script><b>elo"


@cache
def thesis() -> Study:
    """The first rounds of scenario 1, with two seeds."""
    return simulate(World.parse("thesis-1:rounds=12"), THESIS, (1, 2))


@cache
def moving() -> Study:
    """A world in which strengths move, with more contenders than a picture shows, one of them with a strange name."""
    world = World.parse("thesis-2:players=80,joining_mean=5,joining_sd=2,leaving_mean=5,leaving_sd=2,rounds=6")
    more = [contender(f"elo:k={k},initial=1100") for k in (10, 20, 30)]
    return simulate(world, [contender("elo:initial=1100", STRANGE), *THESIS, *more], (1, 2))


@cache
def lone() -> Study:
    """One contender, one seed, many rounds."""
    return simulate(
        World.parse(
            "thesis-1:players=20,joining_mean=1,joining_sd=0,leaving_mean=1,leaving_sd=0,rounds=300,games_mean=2"
        ),
        THESIS[:1],
    )


@cache
def empty() -> Study:
    """A world that everybody leaves."""
    return simulate(World(players=5, rounds=2, joining_mean=0, joining_sd=0, leaving_mean=9, leaving_sd=0), THESIS)


@cache
def short() -> Study:
    """One round."""
    return simulate(evolve(SMALL, rounds=1), THESIS, (1, 2))

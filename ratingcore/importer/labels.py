"""Sides of a session that comes again, with labels where it still has the names of players who were erased."""

from attrs import evolve

from ratingcore.events import SessionPlayed, Side
from ratingcore.events.values import erased_number


def labelled_sides(new: SessionPlayed, last: SessionPlayed) -> list[Side]:
    """The sides of a session with the labels of erased names where it still has the names.

    A side is known by its other players; of several, the one at the same place is taken.
    """
    named = {name for side in last.sides for name in side.players if not erased_number(name)}
    sides = list(new.sides)
    free = set(range(len(sides)))
    for place, side in enumerate(last.sides):
        labels = [name for name in side.players if erased_number(name)]
        if not labels:
            continue
        rest = set(side.players) - set(labels)
        for other in sorted(free, key=lambda at: (at != place, at)):
            players = sides[other].players
            strangers = [name for name in players if name not in named]
            if set(players) - set(strangers) == rest and len(strangers) == len(labels):
                known = dict(zip(strangers, labels, strict=True))
                sides[other] = evolve(sides[other], players=[known.get(name, name) for name in players])
                free.discard(other)
                break
    return list(sides)

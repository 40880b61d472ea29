"""The oracle: views, ratings and histories by a plain-Python fold, written from documented behaviour alone.

It shares no code with what it judges: dictionaries, lists and sorting; no array, no column, no cache.
"""

from collections.abc import Iterable
from typing import Any, NamedTuple

from ratingcore.events import DAY, Event

K, INITIAL, FOREVER = 20.0, 1500.0, 2**62
Recorded = list[tuple[int, Event]]
"""Events with their positions, in order."""


class Line(NamedTuple):
    """One line of a player's history."""

    played: int
    position: int
    opponent: str
    score: float | None
    expected: float | None
    change: float
    rating: float


class Believed(NamedTuple):
    """What a reader of the first K events believes was played in a pool through a day."""

    everything: list[dict[str, Any]]
    """Seeds and results in order of play, seeds before results of the same time."""
    who: dict[str, str]
    """Merged players: as whom they count."""

    @property
    def games(self) -> list[tuple[int, str, str, float]]:
        """Position, a, b and score of each game."""
        games = [fact for fact in self.everything if fact["kind"] == "game"]
        return [
            (fact["position"], *(name for side in fact["members"] for name in side), fact["score"]) for fact in games
        ]

    @property
    def sessions(self) -> int:
        return sum(fact["kind"] == "session" for fact in self.everything)

    @property
    def players(self) -> set[str]:
        return {name for fact in self.everything for side in fact["members"] for name in side}

    def without_sessions(self) -> "Believed":
        """The same, as if no session had ever been recorded."""
        return Believed([fact for fact in self.everything if fact["kind"] != "session"], self.who)

    def through(self, cut: int) -> "Believed":
        """The same, cut in played time."""
        return Believed([fact for fact in self.everything if fact["played"] <= cut], self.who)


class Folded(NamedTuple):
    """Ratings, numbers of results and histories, by player."""

    rating: dict[str, float]
    played: dict[str, int]
    history: dict[str, list[Line]]


def stands(uid: str, said: list[Event]) -> bool:
    """Whether no correction that itself stands takes the event back."""
    against = (event for event in said if event.kind in {"void", "unmerge"} and event.of == uid)
    return not any(stands(event.uid, said) for event in against)


def counted_as(merges: Iterable[Event]) -> dict[str, str]:
    """As whom each merged player counts: the union of all merges, named after the one who was kept."""
    who: dict[str, str] = {}
    for merge in merges:
        keep, other = (who.get(name, name) for name in (merge.keep, merge.other))
        everyone = {*who, keep, other}
        who |= {name: keep for name in everyone if who.get(name, name) == other}
    return who


def facts_of(event: Event, said: list[Event]) -> dict[str, Any]:
    """The fields of an event as all amendments that stand leave them; later ones win."""
    facts: dict[str, Any] = {"kind": event.kind, "order": 0}
    facts |= {name: getattr(event, name) for name in FIELDS if hasattr(event, name)}
    facts["event"] = (getattr(event, "data", None) or {}).get("event")
    for amendment in said:
        if amendment.kind == "amend" and amendment.of == event.uid and stands(amendment.uid, said):
            facts |= {name: value for name, value in amendment.changes.items() if name in {*FIELDS, "event"}}
    return facts


FIELDS = ("pool", "played", "order", "a", "b", "score", "sides", "player", "values")


def believed(recorded: Recorded, known_at: int, pool: str) -> Believed:
    """The first K events, the corrections among them applied, in order of play."""
    known = [(position, event) for position, event in recorded if position <= known_at]
    said = [event for _, event in known]
    who = counted_as(event for event in said if event.kind == "merge" and stands(event.uid, said))
    seeds, results = [], []
    for position, event in known:
        if event.kind not in {"game", "session", "seed"} or not stands(event.uid, said):
            continue
        fact = facts_of(event, said) | {"position": position}
        if fact["pool"] != pool:
            continue
        fact["members"] = [[who.get(name, name) for name in side] for side in members(fact)]
        everyone = [name for side in fact["members"] for name in side]
        if len(set(everyone)) == len(everyone):  # nobody plays against himself
            (seeds if event.kind == "seed" else results).append(fact)
    everything = sorted(seeds + results, key=lambda f: (f["played"], f["kind"] != "seed", f["order"], f["position"]))
    return Believed(everything, who)


def members(fact: dict[str, Any]) -> list[list[str]]:
    """The players of a fact, side by side."""
    if fact["kind"] == "session":
        return [list(side.players) for side in fact["sides"]]
    return [[fact["a"]], [fact["b"]]] if fact["kind"] == "game" else [[fact["player"]]]


def elo(view: Believed) -> Folded:
    """Plain Elo: K times the surprise changes hands, game by game."""
    rating: dict[str, float] = {}
    folded = Folded(rating, {}, {})
    for fact in view.everything:
        if fact["kind"] == "seed":
            planted(folded, fact, INITIAL)
            continue
        (a,), (b,) = fact["members"]
        x, y = rating.get(a, INITIAL), rating.get(b, INITIAL)
        expected = 1 / (1 + 10 ** ((y - x) / 400))
        change = K * (fact["score"] - expected)
        moved(folded, fact, a, b, fact["score"], expected, change, x)
        moved(folded, fact, b, a, 1 - fact["score"], 1 - expected, -change, y)
    return folded


def tally(view: Believed) -> Folded:
    """A toy that rates sessions too, and in which the order counts: a tenth of the rating is lost, the surplus won."""
    rating: dict[str, float] = {}
    folded = Folded(rating, {}, {})
    for fact in view.everything:
        if fact["kind"] == "seed":
            planted(folded, fact, 0.0)
            continue
        sides = fact["members"]
        scores = (
            [side.score for side in fact["sides"]] if fact["kind"] == "session" else [fact["score"], 1 - fact["score"]]
        )
        mean = sum(scores) / len(scores)
        before = {name: rating.get(name, 0.0) for side in sides for name in side}
        for side, score in zip(sides, scores, strict=True):
            others = [" + ".join(seated) for seated in sides if seated is not side]
            label = others[0] if len(others) == 1 else f"{len(others)} sides"
            for name in side:
                moved(folded, fact, name, label, score, mean, score - mean - before[name] / 10, before[name])
    return folded


def elo_by_tournament(everything: Believed, through: int | None) -> dict[str, float]:
    """Elo rated tournament by tournament: games of none by their day, one that goes on after the cut not at all."""
    tournaments: dict[object, list[dict[str, Any]]] = {}
    for fact in everything.everything:
        if fact["kind"] == "game":
            tournaments.setdefault(fact["event"] or fact["played"] // DAY, []).append(fact)
    rating: dict[str, float] = {}
    seeds = [
        fact
        for fact in everything.through(FOREVER if through is None else through).everything
        if fact["kind"] == "seed"
    ]
    # a dictionary keeps the order in which the first games stand, and sorting keeps it among equal spans
    for games in sorted(tournaments.values(), key=lambda games: (games[-1]["played"], games[0]["played"])):
        if through is not None and games[-1]["played"] > through:
            continue
        met: dict[str, int] = {}
        for fact in games:
            for (name,) in fact["members"]:
                met.setdefault(name, fact["played"])
        inside = []
        while seeds and seeds[0]["played"] <= games[-1]["played"]:
            seed = seeds.pop(0)
            ((name,),) = seed["members"]
            if "rating" in seed["values"] and met.get(name, FOREVER) < seed["played"]:
                inside.append(seed)  # it counts from its own day on
            else:
                plant(rating, seed)
        change: dict[str, float] = {}
        for fact in [*games, {"played": FOREVER}]:
            while inside and inside[0]["played"] <= fact["played"]:
                plant(rating, inside[0])
                change.pop(inside.pop(0)["members"][0][0], None)
            if "members" not in fact:
                continue
            (a,), (b,) = fact["members"]
            expected = 1 / (1 + 10 ** ((rating.get(b, INITIAL) - rating.get(a, INITIAL)) / 400))
            for name, amount in ((a, K * (fact["score"] - expected)), (b, -K * (fact["score"] - expected))):
                change[name] = change.get(name, 0.0) + amount
        for name, amount in change.items():
            rating[name] = rating.get(name, INITIAL) + amount
    for fact in seeds:
        plant(rating, fact)
    return rating


def plant(rating: dict[str, float], seed: dict[str, Any]) -> None:
    """A seed sets the rating of its player, if that is what it names."""
    ((player,),) = seed["members"]
    rating[player] = seed["values"].get("rating", rating.get(player, INITIAL))


def planted(folded: Folded, fact: dict[str, Any], initial: float) -> None:
    """A seed sets the rating of its player, if that is what it names."""
    ((player,),) = fact["members"]
    was = folded.rating.get(player, initial)
    now = fact["values"].get("rating", was)
    folded.rating[player] = now
    folded.played.setdefault(player, 0)
    line = Line(fact["played"], fact["position"], "seed", None, None, now - was, now)
    folded.history.setdefault(player, []).append(line)


def moved(
    folded: Folded,
    fact: dict[str, Any],
    player: str,
    opponent: str,
    score: float,
    expected: float,
    change: float,
    was: float,
) -> None:
    """A result moves the rating of one of its players."""
    folded.rating[player] = was + change
    folded.played[player] = folded.played.get(player, 0) + 1
    line = Line(fact["played"], fact["position"], opponent, score, expected, change, was + change)
    folded.history.setdefault(player, []).append(line)

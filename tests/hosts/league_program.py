"""A program of a league: records, lists, corrects, follows and asks about players."""

from collections.abc import Iterator
from datetime import UTC, date, datetime
from pathlib import Path

import ratingcore as rc


def results(path: Path) -> Iterator[rc.GamePlayed]:
    for number, line in enumerate(path.read_text().splitlines(), 1):
        day, white, black, score = line.split(",")
        yield rc.GamePlayed(
            uid=f"r-{number}", pool="rapid", played=date.fromisoformat(day), a=white, b=black, score=float(score)
        )


def record(engine: rc.Engine, path: Path) -> int:
    receipt = engine.record(*results(path), source=path.name)
    print("head", receipt.head, "at", receipt.positions, receipt.duplicates)
    return receipt.accepted


def best(engine: rc.Engine, count: int) -> list[tuple[int, str, float]]:
    listed = engine.rating_list("rapid", "glicko2", top=count)
    found: list[tuple[int, str, float]] = []
    for row in listed:
        rank, rating = row["rank"], row["rating"]
        if rank is not None and rating is not None:
            found.append((rank, row.get("called") or row["player"], rating))
    first = listed[0]
    print("first of", len(listed), first["player"], first.get("deviation"))
    return found


def describe(event: rc.AnyEvent) -> str:
    if event.kind == "game":
        return f"{event.a} - {event.b} {event.score:g} {event.data.get('round', '')}"
    if event.kind == "session":
        return " / ".join(" + ".join(side.players) for side in event.sides)
    if event.kind == "seed":
        return f"{event.player} begins with {event.values['rating']}"
    if event.kind == "player":
        return f"{event.player} is {event.called}"
    if event.kind == "void":
        return f"{event.of} does not count: {event.why}"
    if event.kind == "amend":
        return f"{event.of} reads {', '.join(event.changes)}"
    if event.kind == "merge":
        return f"{event.other} is {event.keep}"
    if event.kind == "list":
        return f"list {event.name}"
    return event.kind


def history(engine: rc.Engine) -> list[str]:
    lines: list[str] = []
    for row, event in engine.events(kinds=["game", "void", "amend"]):
        lines.append(f"{row.position} {describe(event)}")
    events = engine.events()
    first = events[0]
    print(len(events), "events, the first a", first[1].kind, first["uid"], dict(first)["played"])
    return lines


def of_player(engine: rc.Engine, key: str) -> dict[str, float | None]:
    player = engine.player("rapid", key, "glicko2")
    print(player.called, player.rank, player.rating, player.games, dict(player.facts))
    deviation = player.columns["deviation"]
    changes: dict[str, float | None] = {}
    for line in engine.history("rapid", key, "glicko2", last=5):
        changes[line.uid or str(line["opponent"])] = line.change
    spread = deviation if isinstance(deviation, float) else None
    return {**changes, "deviation": spread}


def meet(engine: rc.Engine, one: str, other: str) -> str:
    met = engine.forecasts("rapid", "glicko2", between=(one, other))
    for row in met:
        print(row["played"], row["expected"], row.get("rating_a"))
    (game,) = engine.predict("rapid", "glicko2", [(one, other)])
    share, _ = game.expected
    chance = "unknown" if share is None else f"{share:.2f}"
    return f"{met.record.won} won of {met.record.games}; expected {chance}"


def correct(engine: rc.Engine, uid: str) -> int:
    plan = engine.plan.amend(uid, {"score": 0.5}, why="the scoresheet", by="secretary")
    impact = engine.impact(plan, "rapid", "glicko2")
    for row in impact:
        print(row["player"], row["change"])
    try:
        receipt = engine.apply(plan)
    except rc.RatingCoreError as error:
        print(error, error.hint)
        return 0
    undo = engine.plan.undo(receipt)
    return len(undo.events)


def publish(engine: rc.Engine, name: str, day: date) -> str:
    listed = engine.rating_list("rapid", "glicko2", through=day)
    engine.publish(listed, name=name)
    newest = engine.published("rapid")[-1]
    moved = listed.diff(engine.rating_list("rapid", "glicko2"))
    print(newest.name, newest.players, [row["player"] for row in moved])
    return listed.etag


def follow(engine: rc.Engine) -> list[int]:
    seen: list[int] = []
    with engine.follow("mailer") as feed:
        for row, event in feed:
            seen.append(row.position)
            if event.kind == "game" and event.played > 0:
                print(datetime.fromtimestamp(event.played / 1e6, UTC).date(), event.a)
    return seen


def people(engine: rc.Engine) -> list[str]:
    players = engine.players()
    names = [str(player["player"]) for player in players]
    facts = players[0]
    print(len(players), facts.get("called"))
    return names


def main(folder: Path) -> None:
    file = folder / "games.csv"
    file.write_text("2024-03-02,ann,bo,1\n2024-03-09,bo,cy,0.5\n2024-03-16,cy,ann,0\n")
    with rc.open(folder / "club.db") as engine:
        print(record(engine, file))
        engine.rename("ann", "Ann Lee")
        print(best(engine, 2))
        print(correct(engine, "r-1"))
        print(publish(engine, "2024-03", date(2024, 3, 31)))
        print(history(engine), follow(engine), people(engine))
        print(of_player(engine, "ann"), meet(engine, "ann", "bo"))
        try:
            engine.rating_list("blitz", "elo")
        except rc.RatingCoreError as error:
            print(type(error).__name__, error)
        print(engine.verify().batches)


if __name__ == "__main__":
    import sys

    main(Path(sys.argv[1]))

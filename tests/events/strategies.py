"""What hypothesis may make up: names, times, facts, and every kind of event."""

from hypothesis import settings
from hypothesis import strategies as st

from ratingcore.events import (
    Event,
    GamePlayed,
    ListPublished,
    MergeUndone,
    PeriodClosed,
    PlayerDescribed,
    PlayersMerged,
    PoolDeclared,
    RatingSeeded,
    ResultAmended,
    ResultVoided,
    SessionPlayed,
    Side,
)
from ratingcore.events.bounds import EARLIEST, LATEST
from ratingcore.events.kinds import RESULT_FIELDS

pinned = settings(derandomize=True, deadline=None, max_examples=80)
"""The same examples on every run, so that a failure is a defect and not the weather."""

instants = st.integers(EARLIEST, LATEST)
texts = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=20)
names = st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1, max_size=12).filter(
    lambda text: not text.isspace()
)
finite = st.floats(allow_nan=False, allow_infinity=False)
shares = st.floats(0.0, 1.0) | st.sampled_from([0, 1, 0.5, -0.0])
called = st.just("") | names
orders = st.integers(-(2**31), 2**31 - 1)
values = texts | finite | st.booleans() | st.integers(-(2**63), 2**63 - 1)
fields = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), min_size=1, max_size=8).filter(
    lambda key: key not in RESULT_FIELDS and key not in ("name", "called")
)
facts = st.dictionaries(fields, values, max_size=4)
seeds = st.dictionaries(fields, finite, min_size=1, max_size=3)


@st.composite
def games(draw: st.DrawFn, uid: str) -> GamePlayed:
    a, b = draw(st.lists(names, min_size=2, max_size=2, unique_by=_kept))
    return GamePlayed(
        uid=uid,
        pool=draw(names),
        played=draw(instants),
        a=a,
        b=b,
        score=draw(shares),
        order=draw(orders),
        data=draw(facts),
    )


@st.composite
def sides(draw: st.DrawFn) -> list[Side]:
    players = draw(st.lists(names, min_size=2, max_size=6, unique_by=_kept))
    cut = draw(st.integers(1, len(players) - 1))
    return [Side(players[:cut], draw(finite)), Side(players[cut:], draw(finite))]


@st.composite
def sessions(draw: st.DrawFn, uid: str) -> SessionPlayed:
    return SessionPlayed(
        uid=uid, pool=draw(names), played=draw(instants), sides=draw(sides()), order=draw(orders), data=draw(facts)
    )


@st.composite
def histories(draw: st.DrawFn) -> list[Event]:
    """A game, a session, a seed and a description; everything that can be said of them; and the rest."""
    pool, played, texted = draw(names), draw(instants), draw(texts)
    game, session = draw(games("g")), draw(sessions("s"))
    one, two = draw(st.lists(names, min_size=2, max_size=2, unique_by=_kept))
    free = draw(facts.filter(len)) | {"gone": None}
    return [
        game,
        session,
        RatingSeeded(uid="r", pool=pool, played=played, player=one, values=draw(seeds), order=draw(orders)),
        PlayerDescribed(uid="p", pool=pool, played=played, player=two, data=draw(facts), called=draw(called)),
        ResultAmended(uid="a1", of="g", changes={"played": played, "score": draw(shares), **free}, why=texted),
        ResultAmended(uid="a2", of="g", changes={"a": one, "b": two, "pool": pool, "order": draw(orders)}),
        ResultAmended(uid="a3", of="s", changes={"sides": draw(sides())}, by=texted),
        ResultAmended(uid="a4", of="r", changes={"values": draw(seeds), "player": two}),
        ResultAmended(uid="a5", of="p", changes={"player": one, **free}),
        ResultAmended(uid="a6", of="p", changes={"called": draw(names)}),
        ResultVoided(uid="v", of="g", why=texted, by=draw(texts)),
        ResultVoided(uid="vv", of="v"),
        PlayersMerged(uid="m", keep=one, other=two, why=texted),
        MergeUndone(uid="u", of="m", by=texted),
        PoolDeclared(uid="d", pool=pool, fits=draw(st.sampled_from(["", "elo:k=24"]))),
        PeriodClosed(uid="c", pool=pool, played=played, data=draw(facts)),
        ListPublished(uid="l", pool=pool, played=played, name=draw(names), data=draw(facts)),
    ]


def _kept(text: str) -> str:
    return GamePlayed(pool=text, played=0, a="a", b="b", score=0).pool

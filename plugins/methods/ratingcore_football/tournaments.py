"""Tournaments of national teams by kind, and the fields of a match that both methods read."""

from math import nan

from ratingcore.plugin import Need

FRIENDLY, OTHER, NATIONS, QUALIFIER, FINALS, WORLD = range(6)
"""Kinds: friendly, any other tournament, Nations League, qualifiers, confederation finals, World Cup."""

_CONTINENTAL = (
    "UEFA Euro", "Copa América", "African Cup of Nations", "AFC Asian Cup", "Gold Cup", "CONCACAF Championship",
    "Oceania Nations Cup", "Confederations Cup",
)  # fmt: skip
_LEAGUES = ("UEFA Nations League", "CONCACAF Nations League")
_NAMES: dict[str, float] = {
    "Friendly": FRIENDLY,
    "FIFA World Cup": WORLD,
    "FIFA World Cup qualification": QUALIFIER,
    **dict.fromkeys(_LEAGUES, float(NATIONS)),
    **dict.fromkeys(_CONTINENTAL, float(FINALS)),
    **{f"{name} qualification": float(QUALIFIER) for name in _CONTINENTAL},
}
TOURNAMENT = Need("tournament", words=_NAMES, other=float(OTHER), default=nan)
IMPORTANCE = Need("importance", default=nan, least=0.0)
_YES = {"yes": 1.0, "no": 0.0, "true": 1.0, "false": 0.0, "TRUE": 1.0, "FALSE": 0.0, "1": 1.0, "0": 0.0}
NEUTRAL = Need("neutral", words=_YES, default=0.0)
WINDOW = Need("window", words=_YES, default=1.0)
SHOOTOUT = Need("shootout", words={"a": 1.0, "b": -1.0, "n": 0.0}, default=0.0)
GROUP, EARLY, LATE = range(3)
STAGE = Need(
    "stage", default=float(GROUP),
    words={
        "group": GROUP, "knockout": EARLY, "round of 32": EARLY, "round of 16": EARLY, "quarter-final": LATE,
        "semi-final": LATE, "third place": LATE, "final": LATE,
    },
)  # fmt: skip

"""What is wrong with a form, in the words of the desk: a sentence by class of error, filled in with its facts."""

from collections.abc import Callable, Mapping

from ratingcore.errors import (
    AlreadyPublished,
    DoesNotFit,
    NoOffset,
    PlanOutdated,
    PlayedThemselves,
    RatingCoreError,
    UnknownList,
    UnknownName,
    UnknownUid,
)

PLAYER = "the log knows no player named: %(key)s"
NEAR = "did you mean %(near)s?"
CHANGED = "something else was decided about %(about)s meanwhile, at position %(position)s"
ERASED = "a name was erased meanwhile"
DECIDE_AGAIN = "see what was decided meanwhile, then decide again"
SENTENCES: Mapping[type[RatingCoreError], tuple[str, str]] = {
    AlreadyPublished: (
        "another list of pool %(pool)s was published as %(name)s, at position %(position)s",
        "a published list stays: choose another name",
    ),
    DoesNotFit: ("pool %(pool)s takes what %(fits)s can read, and %(uid)s is not that: %(why)s", ""),
    NoOffset: (
        "the time has no offset, and so names no instant: %(time)s of %(where)s",
        "write it with an offset, such as 2024-03-02T19:00+01:00, or declare the zone of the pool",
    ),
    PlayedThemselves: ("a player cannot meet themselves: %(player)s", ""),
    UnknownList: ("no list was published as: %(name)s", ""),
    UnknownUid: ("no event has the uid: %(uid)s", "the log shows the uids of its events"),
}
"""What is wrong, and what to do, by class of error."""


def in_words(error: Exception, word: Callable[[str], str]) -> tuple[str, str]:
    """What is wrong and what to do, in the language of `word`; in English what officers seldom meet.

    An officer may be shown names that are like the one they gave.

    Examples
    --------
    >>> in_words(UnknownName("player", "anne", ("ann", "hanne")), str)
    ('the log knows no player named: anne', 'did you mean ann, hanne?')
    """
    if isinstance(error, UnknownName) and error.kind == "player":
        near = word(NEAR) % {"near": ", ".join(error.near)} if error.near else ""
        return word(PLAYER) % vars(error), near
    if isinstance(error, PlanOutdated) and error.kind != "file":
        told = "".join(f"; {one}" for one in (error.by, error.why) if one)
        return word(CHANGED if error.position else ERASED) % vars(error) + told, word(DECIDE_AGAIN)
    if type(error) in SENTENCES:
        sentence, advice = SENTENCES[type(error)]  # type: ignore[index]  # it is one of them
        return word(sentence) % vars(error), word(advice) if advice else getattr(error, "suggestion", "")
    return str(error), str(getattr(error, "suggestion", ""))

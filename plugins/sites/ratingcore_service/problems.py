"""Errors as `application/problem+json`: which status each has, and what of it a caller may read."""

import logging
import re
import secrets
from collections.abc import Iterable, Mapping
from typing import Any

import msgspec
from starlette.responses import Response

from ratingcore import errors
from ratingcore.errors import RatingCoreError
from ratingcore_service.wire.answers import Problem

log = logging.getLogger("ratingcore.service")

MEDIA = "application/problem+json"


class NotFound(RatingCoreError):
    """There is nothing at an address."""

    what: str

    def __str__(self) -> str:
        return f"there is no {self.what}"


class BadVerb(RatingCoreError):
    """An address does not take the method of a request."""

    method: str

    def __str__(self) -> str:
        return f"this address takes no {self.method}"


class BadHost(RatingCoreError):
    """A request names a host that this service is not."""

    def __str__(self) -> str:
        return "this service goes by another name"


class BadQuery(RatingCoreError):
    """A field of a question or of a body is unknown, repeated or malformed."""

    what: str

    def __str__(self) -> str:
        return self.what


class NotJson(RatingCoreError):
    """A body is no JSON."""

    what: str

    def __str__(self) -> str:
        return f"the body is no JSON: {self.what}"


class TooLarge(RatingCoreError):
    """A body, a query string or a file is larger than the service takes."""

    what: str
    limit: int

    def __str__(self) -> str:
        return f"the {self.what} is larger than {self.limit:,} bytes"


class TokenNeeded(RatingCoreError):
    """Nobody said who asks, or nobody has this token."""

    def __str__(self) -> str:
        return "this needs a token that is valid: Authorization: Bearer rc_ID_SECRET"


class NotAllowed(RatingCoreError):
    """A token is not for this."""

    needed: str
    scope: str

    def __str__(self) -> str:
        return f"this needs a token for {self.needed}, and yours is for {self.scope}"


class NotOurForm(RatingCoreError):
    """A form was sent by another site, or without what this one puts into its forms."""

    def __str__(self) -> str:
        return "the form is not one of this site, or of a session that has ended: open its page again"


class ReadOnly(RatingCoreError):
    """The service takes nothing in."""

    def __str__(self) -> str:
        return "this service is read only"


class HeadNeeded(RatingCoreError):
    """A correction does not say which head it was decided on."""

    def __str__(self) -> str:
        return "this needs the header If-Match with the head that was seen"


class TooOften(RatingCoreError):
    """A caller has asked too much of late."""

    seconds: float

    def __str__(self) -> str:
        return "too many requests: wait for the seconds of Retry-After"


class Busy(RatingCoreError):
    """Too many questions wait for an answer, or the answer takes long."""

    def __str__(self) -> str:
        return "too many questions wait: ask again in a while"


class TooSlow(RatingCoreError):
    """An answer takes longer than a client waits; it is worked on."""

    seconds: float

    def __str__(self) -> str:
        return f"the answer takes longer than {self.seconds:g} s, and is worked on: ask again in a while"


class NotYet(RatingCoreError):
    """The log has not reached a position."""

    position: int

    def __str__(self) -> str:
        return f"the log has not reached position {self.position} yet"


class NotWarm(RatingCoreError):
    """The lists of all pools are being made for the first time."""

    def __str__(self) -> str:
        return "the lists are being made: not ready yet"


STATUS: Mapping[int, tuple[type[RatingCoreError], ...]] = {
    400: (NotJson, BadHost),
    401: (TokenNeeded,),
    403: (NotAllowed, NotOurForm, ReadOnly),
    404: (errors.UnknownName, errors.UnknownUid, errors.UnknownList, errors.NoSuchLog, NotFound),
    405: (BadVerb,),
    409: (
        errors.Conflict, errors.AlreadyPublished, errors.CursorMoved, errors.SeveralLists, errors.ErasureUnfinished,
        errors.DeclaredMeanwhile,
    ),
    412: (errors.HeadMoved,),
    413: (TooLarge,),
    422: (
        RatingCoreError, BadQuery,
        errors.EventError, errors.BadCorrection, errors.BadValue, errors.NoOffset, errors.PlayedThemselves,
        errors.UnknownZone,
        errors.LogError, errors.AnchorFails, errors.BadTransfer, errors.ContentChanged, errors.NoCursor,
        errors.NotBackfilled, errors.OnlySupposed,
        errors.ArchiveError, errors.BadFile, errors.BadMapping, errors.ColumnNotFound, errors.RowsRefused,
        errors.PluginError, errors.BadParameter, errors.MethodNotFound, errors.StoreNotFound,
        errors.MethodError, errors.BadField, errors.BadResult, errors.CannotSay, errors.DoesNotFit,
        errors.MissingField, errors.OddResults, errors.Unrated, errors.WrongForm,
        errors.ListError, errors.BadDocument, errors.BadKey, errors.CannotRebuild, errors.ForeignList,
        errors.FormulaChanged, errors.ListDiffers, errors.OtherQuestion, errors.UnclearName,
        errors.ComparisonError, errors.BadGrid, errors.BadSpans, errors.CannotFit, errors.NothingForecast,
        errors.NotInstalled, errors.SameMethod, errors.UnknownScore,
        errors.ViewError, errors.BadCut, errors.PoolNotNamed, errors.SeveralPools,
    ),
    428: (HeadNeeded,),
    429: (TooOften,),
    500: (
        errors.BrokenChain, errors.UnsoundLog, errors.SealBroken, errors.BrokenContract, errors.PluginFails,
        errors.CannotWrite, errors.NotALog, errors.NewerLog,
    ),
    503: (errors.LogUnavailable, Busy, TooSlow, NotYet, NotWarm),
}  # fmt: skip
"""The status of each class of error; one that is not here has that of its nearest base."""

_STATUS = {kind: status for status, kinds in STATUS.items() for kind in kinds}
RETRY = (429, 503)
"""Statuses that say when to try again."""


def status_of(error: BaseException) -> int:
    """The status of an error; 500 of one that nobody foresaw."""
    return next((_STATUS[kind] for kind in type(error).__mro__ if kind in _STATUS), 500)


def problem(error: BaseException, places: Iterable[str] = ()) -> tuple[Problem, Mapping[str, Any]]:
    """An error as its caller may read it, and its facts.

    What is the server's fault has an id in place of words, which its own log has too.

    Parameters
    ----------
    error : BaseException
    places : iterable of str
        Paths and addresses of the server, which are not shown.
    """
    status, name = status_of(error), type(error).__name__
    kind = f"urn:ratingcore:{name if isinstance(error, RatingCoreError) else 'Unforeseen'}"
    if status == 500:
        number = secrets.token_hex(6)
        log.error("error %s", number, exc_info=error)
        return Problem(type=kind, title="server error", status=500, detail=f"error {number} in the server's log"), {}
    if isinstance(error, errors.LogUnavailable):
        detail = "the log cannot be used just now"
        log.warning("%s", error)
        return Problem(type=kind, title=_title(error), status=status, detail=detail), {}
    hidden = _hiding(places)
    hint = hidden(str(getattr(error, "hint", "")))
    made = Problem(type=kind, title=_title(error), status=status, detail=hidden(str(error)) or name, hint=hint)
    facts = errors.facts(error)
    if isinstance(error, errors.UnknownName) and error.kind == "player":
        del facts["near"]  # a caller may not know the other players
    return made, {key: hidden(fact) if isinstance(fact, str) else fact for key, fact in facts.items()}


def response(error: BaseException, places: Iterable[str] = ()) -> Response:
    """The answer to a program whose request failed."""
    made, facts = problem(error, places)
    body = msgspec.json.encode({**facts, **msgspec.structs.asdict(made)})
    return Response(body, made.status, retry(error, made.status), MEDIA)


def retry(error: BaseException, status: int) -> dict[str, str]:
    """The headers of an error: when to try again, and how to say who asks."""
    if status == 401:
        return {"WWW-Authenticate": 'Bearer realm="ratingcore"'}
    return {"Retry-After": str(max(1, round(getattr(error, "seconds", 1.0))))} if status in RETRY else {}


def _title(error: BaseException) -> str:
    """The name of a class of errors in words."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])", " ", type(error).__name__).capitalize()


def _hiding(places: Iterable[str]) -> Any:
    known = sorted(filter(None, places), key=len, reverse=True)

    def hidden(text: str) -> str:
        for place in known:
            text = text.replace(place, "the log")
        return text

    return hidden

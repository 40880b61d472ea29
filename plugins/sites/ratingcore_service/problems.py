"""The errors of the service, their HTTP statuses, and their form as `application/problem+json`."""

import logging
import re
import secrets
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from inspect import getmembers, isclass
from typing import Any, TypeVar
from urllib.parse import urlencode

import msgspec
from starlette.responses import Response

from ratingcore import errors
from ratingcore.errors import RatingCoreError
from ratingcore_service.wire import Problem

log = logging.getLogger("ratingcore.service")

MEDIA = "application/problem+json"
E = TypeVar("E", bound=RatingCoreError)


class Refusal(RatingCoreError):
    """Base of the refusals of a request; `sentence` is the message, with the facts in braces."""

    sentence = ""

    def __str__(self) -> str:
        return self.sentence.format_map(vars(self))


class AtDesk(Refusal):
    """Base of refusals that the desk shows in each language of the pages."""


class NotFound(Refusal):
    """An address names something that does not exist."""

    what: str
    sentence = "there is no {what}"


class BadVerb(Refusal):
    """An address does not take the method of a request."""

    method: str
    allowed: list[str]
    sentence = "this address does not accept {method}"


class BadHost(Refusal):
    """A request names a host that does not belong to the service."""

    sentence = "this service does not have that host name"


class BadQuery(Refusal):
    """A field of a question or of a body is unknown, repeated or malformed."""

    what: str
    advice: str = ""
    pointer: str = ""
    sentence = "{what}"


class NothingChosen(AtDesk):
    """A request to take events back names neither a source nor positions."""

    sentence = "neither a source nor positions are given: choose what to take back"


class NotJson(Refusal):
    """A body is not valid JSON."""

    what: str
    sentence = "the body is not JSON: {what}"


class TooLarge(Refusal):
    """A body, a query string or a file is larger than the service allows."""

    what: str
    limit: int
    sentence = "the {what} is larger than {limit:,} bytes"


class TooManyRows(AtDesk):
    """A file has more rows than the service allows."""

    file: str
    limit: int
    advice = "divide it"
    sentence = "{file} has more than {limit:,} rows"


class TooMuchWork(AtDesk):
    """A file needs more memory or time to read than the service allows."""

    file: str
    advice = "divide it"
    sentence = "{file} needs more memory or time than an upload may use"


class Interrupted(AtDesk):
    """The server ended during the work."""

    advice = "upload it again"
    sentence = "the server ended while it read the file"


class TooLate(Refusal):
    """A body came too slowly."""

    what: str
    sentence = "the {what} came too slowly: send it again"


class SenderGone(Refusal):
    """The client disconnected before the whole body had come."""

    what: str
    sentence = "the {what} is incomplete: send it again"


class TokenNeeded(Refusal):
    """A request has no token, or an unknown one."""

    sentence = "this needs a valid token: Authorization: Bearer rc_ID_SECRET"


class NotAllowed(Refusal):
    """A token's scope or pools do not cover a request."""

    needed: str
    scope: str
    sentence = "this needs a token for: {needed}; yours is for: {scope}"


class Decided(Refusal):
    """A token may not correct a result that it recorded, since somebody else has corrected it since."""

    uid: str
    position: int
    advice = "ask an officer"
    sentence = "an officer corrected {uid} at position {position}, so only an officer may correct it again"


class NotRead(Refusal):
    """An upload cannot be accepted, since its file is not read yet or not understood."""

    state: str
    sentence = "nothing was recorded, since the state of the upload is {state}"

    @property
    def advice(self) -> str:
        """What to do about the state."""
        if self.state == "reading":
            return "ask for the upload until its state is read, then accept it"
        if self.state == "unmapped":
            return "upload the file again with a column for each field, such as map.a=White: the report suggests some"
        return "the report has the problem: upload a file without it"


class NotSignedIn(AtDesk):
    """Signing in through the provider of OpenID Connect failed."""


class SignInEnded(NotSignedIn):
    """An answer of the provider belongs to no recent sign-in of this browser."""

    advice = "sign in again"
    sentence = "this sign-in has ended, or it began in another browser"


class SignInFailed(NotSignedIn):
    """A provider refuses, or what it sends is not valid."""

    host: str
    reason: str
    advice = "sign in again"
    sentence = "signing in with {host} failed: {reason}"


class SessionNotKept(NotSignedIn):
    """A browser drops the session cookie of an address without HTTPS, except on the machine of the service."""

    advice = "open the desk by https, or at 127.0.0.1 on the machine of the service"
    sentence = "browsers keep a sign-in only over HTTPS, which this address does not have"


class CookieNotKept(NotSignedIn):
    """A browser or a program came back from signing in without its session cookie."""

    advice = SessionNotKept.advice
    sentence = "the sign-in was right, but its cookie was not kept"


class NotListed(NotSignedIn):
    """A person who signed in is not on the list of allowed persons."""

    name: str
    advice = "ask the keeper of the log"
    sentence = "{name} is not on the list of this service"


class NotVerified(NotSignedIn):
    """The provider has not verified the e-mail address of a person."""

    email: str
    host: str
    advice = "verify it there, then sign in again"
    sentence = "{host} has not verified the address {email}"


class ProviderAway(NotSignedIn):
    """The provider does not answer."""

    host: str
    advice = "sign in later, or with a token"
    sentence = "{host} does not answer"


class NotOurForm(Refusal):
    """A form comes from another site, or lacks the secret of this one."""

    sentence = "the form is from another site, or its session has ended: open its page again"


class ReadOnly(Refusal):
    """The service is read-only."""

    sentence = "this service is read-only"


class HeadNeeded(Refusal):
    """A correction lacks the head on which it was decided."""

    advice = 'If-Match: "HEAD", with the head of the answer on which you decided, which is its header Ratingcore-Head'
    sentence = "this needs the header If-Match with the head that was seen"


class TooOften(Refusal):
    """A caller has used up their rate limit for now."""

    seconds: float
    sentence = "too many requests: wait for the seconds in Retry-After"


class Busy(Refusal):
    """Too many questions wait for an answer, or the answer takes long."""

    sentence = "too many questions are waiting: ask again in a while"


class TooSlow(Refusal):
    """An answer takes longer than the time limit, and is still being computed."""

    seconds: float
    sentence = "the answer takes longer than {seconds:g} s and is still being computed: ask again in a while"


class GivenUp(Refusal):
    """A long question was ended because nobody waited for its answer any more."""

    sentence = "the answer took too long and was cancelled"
    advice = "ask with the method of the pool, at a published list, or on the command line"


class NotOffered(Refusal):
    """A method is only for callers with a token."""

    method: str
    offered: Sequence[str]
    sentence = "{method} is not one of the methods that this service offers without a token"

    @property
    def advice(self) -> str:
        """The public methods, as a text."""
        return f"use {' or '.join(self.offered)}; with a token, any method is allowed"


class TooCostly(Refusal):
    """A question is too much work for a page."""

    what: str
    sentence = "{what}: this takes too long to compute for a page"
    advice = "run the study compare, at the desk or on the command line: its report includes this"


class NotThisLog(Refusal):
    """Events are requested after a point that the log does not have, such as one from before a backup was restored."""

    after: str
    position: int
    advice = "read the events from the beginning: the log was restored from a backup, or is another one"
    sentence = "{after} is not a point of this log, which ends at position {position}"


class NotYet(Refusal):
    """The log did not reach a position in time."""

    position: int
    sentence = "the log has not reached position {position} yet"


class NotWarm(Refusal):
    """The lists of all pools are being computed for the first time."""

    sentence = "not ready yet: the lists are still being computed"


STATUS: Mapping[int, tuple[type[RatingCoreError], ...]] = {
    400: (NotJson, BadHost, SenderGone),
    401: (TokenNeeded,),
    403: (Decided, NotAllowed, NotOffered, NotOurForm, NotSignedIn, ReadOnly),
    404: (
        errors.BoardNotDeclared, errors.UnknownName, errors.UnknownUid, errors.UnknownList, errors.NoSuchLog, NotFound,
    ),
    405: (BadVerb,),
    408: (TooLate,),
    409: (
        errors.Conflict, errors.AlreadyPublished, errors.CursorMoved, errors.SeveralLists, errors.ErasureUnfinished,
        errors.DeclaredMeanwhile, NotThisLog, NotRead,
    ),
    412: (errors.HeadMoved, errors.PlanOutdated),
    413: (TooLarge, TooManyRows),
    422: (RatingCoreError, errors.AnchorFails, errors.ContentChanged),
    428: (HeadNeeded,),
    429: (TooOften,),
    500: (
        errors.BrokenChain, errors.UnsoundLog, errors.SealBroken, errors.BrokenContract, errors.PluginFails,
        errors.CannotWrite, errors.NotALog, errors.NewerLog,
    ),
    503: (
        errors.LogUnavailable, errors.OtherHistory, Busy, Interrupted, TooSlow, GivenUp, NotYet, NotWarm, ProviderAway,
    ),
}  # fmt: skip
"""The status of classes of errors; a subclass has the status of its nearest base."""

_STATUS = {kind: status for status, kinds in STATUS.items() for kind in kinds}
_PLACE = "place of the error"
RETRY = (429, 503)
"""Statuses with a time for the next attempt."""


def status_of(error: BaseException | type[BaseException]) -> int:
    """Returns the HTTP status of an error or of a class of errors; 500 for an unexpected one."""
    kind = error if isinstance(error, type) else type(error)
    return next((_STATUS[base] for base in kind.__mro__ if base in _STATUS), 500)


def kinds_of(status: int) -> list[str]:
    """Returns the names of the errors of a status that API answers may have, in alphabetical order."""
    every = {kind for _, kind in [*getmembers(errors, isclass), *globals().items()] if isclass(kind)}
    met = (kind for kind in every if issubclass(kind, RatingCoreError) and not issubclass(kind, NotSignedIn))
    return sorted(kind.__name__ for kind in met if kind is not AtDesk and status_of(kind) == status)


def placed(error: E, where: str, **facts: object) -> E:
    """Returns an error with its place in a body, and facts about it: a `pointer`, or the number of a `line`."""
    vars(error)[_PLACE] = where, facts
    return error


def problem(error: BaseException, places: Iterable[str] = ()) -> tuple[Problem, Mapping[str, Any]]:
    """Returns an error in the form that its caller may see, and its facts.

    For an unexpected error, the text is only an id; the server's log has the same id with the details.

    Parameters
    ----------
    error : BaseException
    places : iterable of str
        Paths and addresses of the server to hide.
    """
    status, name = status_of(error), type(error).__name__
    kind = f"urn:ratingcore:{name if isinstance(error, RatingCoreError) else 'Unforeseen'}"
    if status == 500:
        number = secrets.token_hex(6)
        where = None if isinstance(error, errors.LogError) else error  # a log says itself what is wrong with it
        log.error("error %s: %s", number, error, exc_info=where)
        return Problem(type=kind, title="server error", status=500, detail=f"error {number} in the server's log"), {}
    if isinstance(error, errors.LogUnavailable):
        detail = "the log cannot be used at the moment"
        log.warning("%s", error)
        return Problem(type=kind, title=_title(error), status=status, detail=detail), {}
    hidden = partial(_hidden, places)
    hint = hidden(_hint(error))
    where, more = vars(error).get(_PLACE, ("", {}))
    detail = ": ".join(filter(None, (where, hidden(str(error)) or name)))
    made = Problem(type=kind, title=_title(error), status=status, detail=detail, hint=hint)
    facts = errors.facts(error) | more
    if isinstance(error, errors.UnknownName) and error.kind == "player":
        del facts["near"]  # a caller may not be allowed to know the other players
    return made, {key: hidden(fact) if isinstance(fact, str) else fact for key, fact in facts.items()}


def response(error: BaseException, places: Iterable[str] = ()) -> Response:
    """Returns the response to a program whose request failed."""
    made, facts = problem(error, places)
    repeated = {"advice", "what"} if isinstance(error, BadQuery) else {"advice"}  # they are the hint and the detail
    own = {name: fact for name, fact in facts.items() if name not in repeated}
    body = msgspec.json.encode({**own, **msgspec.structs.asdict(made)})
    return Response(body, made.status, retry(error, made.status), MEDIA)


def retry(error: BaseException, status: int) -> dict[str, str]:
    """Returns the headers of an error: when to try again, how to authenticate, and the methods of an address."""
    if status == 401:
        return {"WWW-Authenticate": 'Bearer realm="ratingcore"'}
    if isinstance(error, BadVerb):
        return {"Allow": ", ".join(error.allowed)}
    return {"Retry-After": str(max(1, round(getattr(error, "seconds", 1.0))))} if status in RETRY else {}


def _hint(error: BaseException) -> str:
    """Returns the advice of an error in the notation of the API."""
    if isinstance(error, errors.ColumnNotFound | errors.ScoresInDoubt):
        return error.advised(lambda mapping: urlencode({f"map.{field}": column for field, column in mapping.items()}))
    if isinstance(error, errors.UnknownName) and error.newcomer:
        return '"newcomers": true allows players who have not played yet'
    return str(getattr(error, "hint", ""))


def _title(error: BaseException) -> str:
    """Returns the name of a class of errors in words."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])", " ", type(error).__name__).capitalize()


def _hidden(places: Iterable[str], text: str) -> str:
    for place in sorted(filter(None, places), key=len, reverse=True):
        text = text.replace(place, "the log")
    return text

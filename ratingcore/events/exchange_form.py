"""Converts events to JSON values and back, for plans and outboxes."""

from collections.abc import Mapping, Sequence
from typing import Any

from attrs import asdict

from ratingcore.errors import BadValue, RatingCoreError
from ratingcore.events.kinds import KINDS, Event, Side


def as_json(event: Event) -> dict[str, Any]:
    """Returns an event as JSON values, including its kind.

    Examples
    --------
    >>> from ratingcore import ResultVoided
    >>> as_json(ResultVoided(uid="v-1", of="g-1"))
    {'kind': 'void', 'uid': 'v-1', 'of': 'g-1', 'why': '', 'by': ''}
    """

    def plain(of: object, field: object, value: Any) -> Any:
        if isinstance(value, Mapping):
            return {key: plain(None, None, one) for key, one in value.items()}
        if isinstance(value, tuple | list):
            return [asdict(one) if isinstance(one, Side) else one for one in value]
        return value

    return {"kind": event.kind, **asdict(event, value_serializer=plain)}


def from_json(given: Mapping[str, Any]) -> Event:
    """Returns the event that `as_json` converted.

    Raises
    ------
    BadValue
        If it is not an event, or an invalid one.

    Examples
    --------
    >>> from_json({"kind": "void", "uid": "v-1", "of": "g-1"}).of
    'g-1'
    """
    try:
        fields = {name: value for name, value in given.items() if name != "kind"}
        if "sides" in fields:
            fields["sides"] = _sides(fields["sides"])
        if "sides" in fields.get("changes", ()):
            fields["changes"] = {**fields["changes"], "sides": _sides(fields["changes"]["sides"])}
        event: Event = KINDS[given["kind"]](**fields)
    except (LookupError, TypeError, AttributeError) as error:
        if isinstance(error, RatingCoreError):
            raise
        raise BadValue("event", error, "is missing or cannot be read") from None
    return event


def _sides(given: Sequence[Mapping[str, Any]]) -> tuple[Side, ...]:
    return tuple(Side(tuple(side["players"]), side["score"]) for side in given)

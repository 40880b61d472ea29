"""Canonical JSON, over which a log computes its digests: equal values have equal bytes."""

import json
from collections.abc import Callable, Iterable
from functools import cache

from ratingcore.events.values import Facts

_ENCODER = json.JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)


def canonical(value: object) -> str:
    """Returns JSON with sorted keys, no spaces and shortest floats, so that equal values have equal digests.

    Examples
    --------
    >>> canonical({"b": 1.0, "a": [None, "ö"]})
    '{"a":[null,"ö"],"b":1.0}'
    """
    return "".join(_parts(value, 0))


def _encoder() -> Callable[[object, int], Iterable[str]]:
    """Makes the encoder's C function, only once; `JSONEncoder.encode` makes a new one for every value."""
    make = getattr(json.encoder, "c_make_encoder", None)
    if make is None:
        return lambda value, level: _ENCODER.iterencode(value)
    quoted = json.encoder.encode_basestring
    return make(None, _ENCODER.default, quoted, None, ":", ",", True, False, False)  # type: ignore[no-any-return]  # C


_parts = _encoder()


def _plain(value: object) -> int:
    if isinstance(value, int):  # a subclass such as `Timed`
        return int(value)
    raise TypeError(f"{value!r} is not a value of JSON")


@cache
def _quick() -> Callable[[object], bytes] | None:
    """Returns an encoder that writes the same bytes as `canonical` ten times as fast; None if it is not installed.

    A test compares the two.
    """
    try:
        import msgspec
    except ImportError:
        return None
    return msgspec.json.Encoder(order="sorted", enc_hook=_plain).encode


_ALIKE = (0.0001, 1.0)
"""Range of floats that both encoders write alike, besides 0; outside it they write exponents differently."""


def canonical_bytes(value: object, floats: Iterable[float]) -> bytes:
    """Returns `canonical` as UTF-8, by the quick encoder if it writes `floats`, all those in the value, alike."""
    quick = _quick()
    return canonical(value).encode() if quick is None or not _are_alike(floats) else quick(value)


def is_quick(floats: Iterable[float]) -> bool:
    """True if `canonical_bytes` uses the quick encoder for a value with these floats."""
    return _quick() is not None and _are_alike(floats)


def _are_alike(floats: Iterable[float]) -> bool:
    return all(number == 0.0 or _ALIKE[0] <= number <= _ALIKE[1] for number in floats)


def json_of(given: Facts) -> str:
    """Returns facts as canonical JSON."""
    return canonical_bytes(dict(given), (value for value in given.values() if type(value) is float)).decode()

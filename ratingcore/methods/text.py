"""Reads method texts such as `elo:k=24,curve=normal`, and writes methods as texts and identities."""

import inspect
import re
from collections.abc import Mapping
from types import NoneType, UnionType
from typing import Any, get_args

import attrs

from ratingcore.errors import BadParameter, BadValue, MethodNotFound, RatingCoreError
from ratingcore.methods.contract import Method
from ratingcore.methods.first_ratings import Entering, Entry
from ratingcore.methods.rule_histories import Book, spelt, steps_of

_NAME = r"[a-z][a-z0-9-]*"
_CALLED = re.compile(rf"{_NAME}(?:@[0-9]{{1,9}})?")
_IDENTITY = rf"(?s)({_NAME})@([0-9]{{1,9}})\((.*)\)"


def called(method: Method | type[Method]) -> str:
    """Returns the name of a method in texts: with the formula number if a newer formula has the same name.

    Examples
    --------
    `elo`, and `glicko@1` for a class with `superseded = True`
    """
    return f"{method.name}@{method.formula}" if method.superseded else method.name


def split(text: str) -> tuple[str, dict[str, str]]:
    """Splits a method text into its name and the texts of its parameters; commas inside parentheses do not separate.

    The name may end with a formula number: `glicko@1:tau=0.5`.

    Examples
    --------
    >>> split("elo:k=24,period=cuts(2020-01-01;2021-01-01)")
    ('elo', {'k': '24', 'period': 'cuts(2020-01-01;2021-01-01)'})
    """
    name, _, rest = text.strip().partition(":")
    if not _CALLED.fullmatch(name):
        raise MethodNotFound(name or text, ())
    given: dict[str, str] = {}
    for part in _parted(rest) if rest.strip() else []:
        parameter, equals, value = part.partition("=")
        parameter = parameter.strip()
        if not equals or not parameter:
            raise BadParameter(name, part or "(empty)", "must be written name=value")
        if parameter in given:
            raise BadParameter(name, parameter, "is given twice")
        given[parameter] = value.strip()
    return name, given


def varied(text: str, values: Mapping[str, str]) -> str:
    """Returns a method text with other values of some parameters; a rule with a history changes in its last step.

    Examples
    --------
    >>> varied("elo:k=24", {"k": "30"}), varied("elo then elo:k=40 from 2024-03-05", {"k": "30"})
    ('elo:k=30', 'elo then elo:k=30 from 2024-03-05')
    """
    first, later = steps_of(text)
    *before, (last, since) = ((first, None), *later)
    name, given = split(last)
    given |= values
    changed = f"{name}:{','.join(f'{parameter}={value}' for parameter, value in given.items())}"
    whole = ""
    for step, begun in (*before, (changed, since)):
        whole = step if begun is None else spelt(whole, step, begun)
    return whole


def build(kind: type[Method], texts: Mapping[str, str]) -> Method:
    """Builds a method from parameter texts; `preset=` names a set of values, which other parameters override.

    Raises
    ------
    BadParameter
        If a parameter is unknown, or its text is not a value of its type, or the value is out of range.
    """
    fields = {parameter_name(field): field for field in attrs.fields(kind)}  # type: ignore[arg-type]  # methods are attrs classes
    if "entry" in texts and "entry" not in fields:
        return _entering(kind, texts)
    accepted = (*fields, *(["preset"] if kind.presets else []), "entry")
    values: dict[str, Any] = {}
    if "preset" in texts and kind.presets:
        if texts["preset"] not in kind.presets:
            given, words = repr(texts["preset"]), tuple(kind.presets)
            raise BadParameter(kind.name, "preset", f"must be one of {', '.join(words)}", value=given, words=words)
        values |= kind.presets[texts["preset"]]
    for parameter, text in texts.items():
        if parameter == "preset" and kind.presets:
            continue
        if parameter not in fields:
            raise BadParameter(kind.name, parameter, "is unknown", accepted)
        values[fields[parameter].name] = _value(kind.name, parameter, fields[parameter].type, text)
    return kind(**values)


def _entering(kind: type[Method], texts: Mapping[str, str]) -> Method:
    """Builds a method whose newcomers enter by `entry`, where the method has no such parameter itself."""
    entry = _value(kind.name, "entry", Entry, texts["entry"])
    method = build(kind, {name: text for name, text in texts.items() if name != "entry"})
    return method if entry == Entry() else Entering(method, entry)


def _value(method: str, parameter: str, kind: Any, text: str) -> Any:
    """Reads the text of a parameter by the parameter's type."""
    options = get_args(kind) if isinstance(kind, UnionType) else (kind,)
    if NoneType in options and text.lower() == "none":
        return None
    why, value, words = "is not understood", "", tuple[str, ...]()
    for option in options:
        if option is NoneType:
            continue
        try:
            return _read(option, text)
        except BadValue as error:
            why, value, words = error.why, repr(error.value), getattr(error, "words", ())
        except (ValueError, KeyError):
            why, value, words = f"must be {_describe(option)}", repr(text), tuple(map(str, get_args(option)))
    raise BadParameter(method, parameter, why, value=value, words=words)


def _read(kind: Any, text: str) -> Any:
    if kind is bool:
        return {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}[text.lower()]
    if hasattr(kind, "parse"):
        return kind.parse(text)
    if kind in (int, float, str):
        return kind(text)
    words = get_args(kind)
    if words and text in words:
        return text
    raise ValueError(text)


def _describe(kind: Any) -> str:
    words = {bool: "true or false", int: "a whole number", float: "a number", str: "a text"}
    return words.get(kind) or f"one of {', '.join(map(str, get_args(kind)))}"


def parameters(method: Method) -> dict[str, str]:
    """Returns the parameters of a method as texts that `build` reads; for a rule with a history, of its last step."""
    if isinstance(method, Book):
        return parameters(method.method)
    if isinstance(method, Entering):
        return parameters(method.method) | {"entry": str(method.entry)}
    fields = attrs.fields(type(method))  # type: ignore[arg-type]  # methods are attrs classes
    return {parameter_name(field): _spelt(getattr(method, field.name), field.type) for field in fields}


def default_method(kind: type[Method]) -> Method | None:
    """Returns a method with default parameters; None if some parameter has no default."""
    try:
        return kind()
    except (TypeError, RatingCoreError):
        return None


def default_parameters(kind: type[Method]) -> dict[str, str]:
    """Returns the default of each parameter as text; a question mark if it has no default."""
    method = default_method(kind)
    if method is not None:
        return parameters(method)
    return {parameter_name(field): "?" for field in attrs.fields(kind)}  # type: ignore[arg-type]  # methods are attrs classes


def parameter_name(field: "attrs.Attribute[Any]") -> str:
    """Returns the name of a parameter in texts: `with` for a field `with_`, since `with` is a keyword of Python."""
    return field.name.removesuffix("_")


QUIET = {"quiet": True}
"""Metadata for a parameter that is added to a method after lists with it were published: `field(metadata=QUIET)`.

Identities leave out such a parameter while it has its default, so the identities of these lists stay valid. The default
must give the behaviour that the method had without the parameter, and must never change.
"""


def _spoken(method: Method) -> dict[str, str]:
    """Returns the parameters that identities and texts name: all except quiet ones at their default."""
    if isinstance(method, Entering):
        return _spoken(method.method) | {"entry": str(method.entry)}
    fields = {parameter_name(field): field for field in attrs.fields(type(method))}  # type: ignore[arg-type]  # as above
    return {name: text for name, text in parameters(method).items() if not _is_silent(method, fields[name])}


def _is_silent(method: Method, field: "attrs.Attribute[Any]") -> bool:
    return bool(field.metadata.get("quiet")) and getattr(method, field.name) == field.default


def _spelt(value: Any, kind: Any) -> str:
    if value is None:
        return "none"
    if type(value) is int and kind in (float, float | None):
        return str(float(value))
    if isinstance(value, bool):
        return str(value).lower()
    return str(value)


def identity(method: Method) -> str:
    """Returns the identity of a method for provenance: name, formula number and parameters.

    It leaves out `QUIET` parameters at their default.

    Examples
    --------
    `elo@1(k=24.0, curve=logistic, ...)`
    """
    if isinstance(method, Book):
        return spelt(identity(method.before), identity(method.method), method.since)
    given = ", ".join(f"{name}={text}" for name, text in _spoken(method).items())
    return f"{method.name}@{method.formula}({given})"


def of_identity(text: str) -> tuple[str, int, dict[str, str]]:
    """Splits an identity into name, formula number and parameter texts; raises `BadValue` for any other text.

    Examples
    --------
    >>> of_identity("elo@1(k=24.0, entry=trial(15,fide2024))")
    ('elo', 1, {'k': '24.0', 'entry': 'trial(15,fide2024)'})
    """
    match = re.fullmatch(_IDENTITY, text)
    if match is None:
        raise BadValue("identity of a method", text, "must be written name@formula(parameter=value, ...)")
    given: dict[str, str] = {}
    for part in _parted(match[3]):
        parameter, equals, value = part.partition("=")
        if not equals or parameter in given:
            raise BadValue("identity of a method", text, "must be written name@formula(parameter=value, ...)")
        given[parameter] = value
    return match[1], int(match[2]), given


def _parted(spelt: str) -> list[str]:
    """Splits a text at commas outside parentheses."""
    parts, depth = [""], 0
    for char in spelt:
        depth += (char == "(") - (char == ")")
        if char == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += char
    return [part.strip() for part in parts] if spelt else []


def text_of(method: Method) -> str:
    """Returns a method text from which the same method can be built."""
    if isinstance(method, Book):
        return spelt(text_of(method.before), text_of(method.method), method.since)
    given = ",".join(f"{name}={text}" for name, text in _spoken(method).items())
    return f"{called(method)}:{given}" if given else called(method)


def prose_of(kind: type[Method]) -> str:
    """Returns the docstring of a method as plain text, without its Python examples."""
    plain = re.sub(
        r"\n*Examples\n-+\n.*?(?=\n\S[^\n]*\n-+\n|\Z)", "", inspect.getdoc(kind) or kind.name, flags=re.DOTALL
    )
    return re.sub(r"\.\. (?=\[)|(?<=\])_|[`*]", "", plain).strip()


def summary_of(kind: type[Method]) -> str:
    """Returns the first paragraph of a method's docstring, without references to sources at its end."""
    return re.sub(r"( \[[0-9]+\])+(?=\.?$)", "", " ".join(prose_of(kind).partition("\n\n")[0].split()))

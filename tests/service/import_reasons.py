"""The reasons for which an import refuses a file or a row, as they are in the sources: the desk has words for each."""

import ast
from collections.abc import Iterator, Mapping
from pathlib import Path

import ratingcore

ROOT = Path(ratingcore.__file__).parent
PLACES = ("importer", "readers", "spelling.py", "validators.py", "lists/policy.py")
FORMATS = ROOT.parent / "plugins" / "formats"
RAISED = {
    "BadFile": 1, "BadMapping": 1, "ScoresInDoubt": 1, "BadValue": 2, "Refused": 1, "Reason": 0, "refuse": 0,
}  # fmt: skip
"""Classes of refusals, and the place of the reason among their arguments."""
ELSEWHERE = (
    "importer/tables/fieldmap.py", "importer/tables/short_tables.py", "importer/file_choice.py", "importer/files.py",
    "importer/settings.py", "importer/results_on_lines.py", "importer/ratings.py", "importer/reissue.py",
    "importer/event_maker.py", "readers/date_forms.py", "importer/inputs.py: must be str | Path",
    "importer/inputs.py: the folder holds", "importer/inputs.py: there is no such",
    "importer/inputs.py: it can be read",
    "readers/files.py: there is no such", "readers/files.py: is a directory", "readers/files.py: it is a pipe",
    "readers/files.py: it has more than", "importer/reader_choice.py: must have options",
    "lists/policy.py: must be written", "lists/policy.py: must be a text",
    "importer/tables/json_documents.py: it has no list",
    "importer/tables/players.py: a ",
    "importer/tables/players.py: at and played", "importer/tables/bound_mapping.py: the column ... cannot be kept",
    "importer/tables/sheets.py: is ", "importer/tables/sheets.py: it is not a ", "importer/tables/sheets.py: it can be",
    "importer/tables/session_objects.py: the sides", "importer/tables/sheets.py: the row is not a mapping",
    "ratingcore_tables/databases.py: the query", "ratingcore_tables/databases.py: the database refused",
    "ratingcore_tables/databases.py: a database must", "ratingcore_tables/arrow.py: it can be read once",
    "importer/row_import.py: known", "importer/tables/outcomes.py: known", "importer/tables/sessions.py: known",
    "importer/descriptions.py: no player", "readers/source.py: a place",
)  # fmt: skip
"""Sources, or reasons in them, that no file at the desk can cause: mapping files, options, arguments of a program."""


def reasons() -> set[str]:
    """The forms of all reasons, with facts in braces."""
    return {form for form, _ in _all() if form}


def unfilled() -> list[str]:
    """Places where a fact is put into a reason in a way that keeps no form."""
    return [where for form, where in _all() if not form]


def _all() -> Iterator[tuple[str, str]]:
    for found in (*(ROOT / place for place in PLACES), FORMATS):
        for path in sorted(found.rglob("*.py")) if found.is_dir() else [found]:
            of = path.relative_to(FORMATS if found == FORMATS else ROOT).as_posix()
            for text in _of(ast.parse(path.read_text("utf-8"))):
                where = f"{of}: {text.removeprefix(_OPEN)}"
                if text and not where.startswith(ELSEWHERE):
                    yield "" if text.startswith(_OPEN) else text, where


def _of(tree: ast.Module) -> Iterator[str]:
    top = _assigned(tree.body)
    for scope in ast.walk(tree):
        if isinstance(scope, ast.FunctionDef):
            within = list(ast.walk(scope))
            names = {**top, **_assigned(within)}
            for reason in filter(None, map(_reason, within)):
                yield from _texts(reason, names)
            if scope.name.strip("_") == "remark":
                for one in within:
                    if isinstance(one, ast.Return) and one.value is not None:
                        yield from _texts(one.value, names)


def _reason(node: ast.AST) -> ast.expr | None:
    """The reason that is given to a class, or kept as a remark."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name | ast.Attribute):
        name = node.func.id if isinstance(node.func, ast.Name) else node.func.attr
        at = 0 if name == "Filled" else RAISED.get(name, len(node.args))
        return node.args[at] if at < len(node.args) else None
    if isinstance(node, ast.Assign) and isinstance(target := node.targets[0], ast.Tuple | ast.Attribute):
        targets, values = (one.elts if isinstance(one, ast.Tuple) else [one] for one in (target, node.value))
        pairs = zip(targets, values, strict=False)
        return next((value for one, value in pairs if isinstance(one, ast.Attribute) and one.attr == "remark"), None)
    return None


_OPEN = "\0"
"""Begins a text into which a fact is put."""


def _assigned(body: list[ast.stmt] | list[ast.AST]) -> Mapping[str, list[ast.expr]]:
    found: dict[str, list[ast.expr]] = {}
    for one in body:
        if isinstance(one, ast.Assign) and len(one.targets) == 1 and isinstance(one.targets[0], ast.Name):
            found.setdefault(one.targets[0].id, []).append(one.value)
    return found


def _texts(node: ast.expr, names: Mapping[str, list[ast.expr]]) -> list[str]:
    """The texts that an expression may have; none for one that comes from elsewhere, such as another error."""
    match node:
        case ast.Constant(value=str(text)):
            return [text]
        case ast.IfExp(body=body, orelse=orelse):
            return _texts(body, names) + _texts(orelse, names)
        case ast.BinOp(op=ast.Add(), left=left, right=right):
            return [one + other for one in _texts(left, names) for other in _texts(right, names)]
        case ast.JoinedStr(values=values):
            parts = [""]
            for value in values:
                some = [value.value] if isinstance(value, ast.Constant) else _texts(value.value, names)  # type: ignore[attr-defined]  # of a text
                parts = [one + str(other) for one in parts for other in some or [_OPEN]]
            return [_OPEN + one.replace(_OPEN, "...") if _OPEN in one else one for one in parts]
        case ast.Call(func=ast.Name(id="Filled"), args=[form, *_]):
            return _texts(form, names)
        case ast.Name(id=name) if name in names:
            return [text for one in names[name] for text in _texts(one, {**names, name: []})]
        case ast.Subscript(value=ast.Name(id=name)) if name in names:
            return [text for one in names[name] if isinstance(one, ast.Dict) for value in one.values
                    for text in _texts(value, names)]  # fmt: skip
    return []

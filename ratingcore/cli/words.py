"""Gives advice after an error on the command line: which options and commands help."""

from collections.abc import Callable, Mapping
from typing import Any

from ratingcore.errors import (
    BadDocument,
    BadFile,
    BrokenChain,
    BrokenContract,
    CannotFit,
    CannotSay,
    ColumnNotFound,
    DeclaredMeanwhile,
    DoesNotFit,
    MethodNotFound,
    MissingField,
    NewerLog,
    NoAnchors,
    NoPast,
    NoShares,
    NoSuchLog,
    NotALog,
    NotBackfilled,
    NotInstalled,
    NotOfWriter,
    NotOnLines,
    NoZone,
    OddResults,
    OtherHistory,
    PluginFails,
    RatingCoreError,
    RowsRefused,
    ScoresInDoubt,
    SeveralPools,
    StoreNotFound,
    UnknownList,
    UnknownName,
    UnknownUid,
    WrongForm,
)


def hint(error: RatingCoreError) -> str:
    """Returns advice on what to do next at the command line after an error.

    Examples
    --------
    >>> hint(SeveralPools("the merge of ann", ("rapid", "blitz")))
    'choose one: --pool rapid'
    """
    words = _HINTS.get(type(error), "")
    return (words if isinstance(words, str) else words(error)) or error.suggestion


MAP = "--map"
"""The option that maps fields to columns."""


def map_option(mapping: Mapping[str, str]) -> str:
    """Returns a mapping of fields to columns as an option that can be copied into a shell.

    Examples
    --------
    >>> print(map_option({"a": "Weiß", "b": "Schwarz, Gast"}))
    --map 'a=Weiß,b="Schwarz, Gast"'
    """
    pairs = ",".join(
        f'{field}="{column}"' if "," in column else f"{field}={column}" for field, column in mapping.items()
    )
    return f"{MAP} '{pairs}'" if set(pairs) & set(' "()&;#*') else f"{MAP} {pairs}"


SETTINGS: Mapping[str, str] = {
    "encoding": 'give the encoding, such as --encoding cp1252, or encoding = "cp1252" in a mapping file',
    "fields": "map them by --map, or choose the sheet by --sheet",
    "query": 'read rows of it by --query "SELECT ..."',
    "fields_or_reader": "{advice}, by --map or --reader",
    "keep_going": "{advice}: --keep-going",
    "reader": "{advice}, by --reader",
    "sheet": "choose one by --sheet NAME",
    "sheet_of_reader": "choose one by -o sheet=NAME",
    "source": "{advice}: --source NAME, --map",
    "utf-16": "text in UTF-16 without a mark is read by --encoding utf-16-le or utf-16-be",
}
"""Advice on the option for each setting by which a file is read."""

WRITTEN: Mapping[str, str] = {
    "event": "choose the tournament: --event NAME",
    "list": "choose the published list: --list NAME",
    "show": "write the ratings of a list: --to ratings --list NAME",
}
"""Advice on the option for each parameter that a writer may need."""


def _cannot_say(error: CannotSay) -> str:
    if error.field:
        return f"give it: --field {error.field}=VALUE"
    return f"{error.hint}: ratingcore methods lists all" if error.others else ""


def _cannot_fit(error: CannotFit) -> str:
    fitted = f"these can: {', '.join(error.known)}; " if error.known else ""
    return f"{fitted}ratingcore tune searches for the parameters with which a method forecasts games best"


def _column_not_found(error: ColumnNotFound) -> str:
    if error.lacking == ("played",):
        return f"{error.advised(map_option)}; if the file has no days, --played DAY gives that of all rows"
    if len(error.found) < 2:
        return error.advised(map_option, "; for another delimiter use --delimiter, for a header further down --skip")
    return error.advised(map_option, "; if the header is further down, use --skip")


def _declared_meanwhile(error: DeclaredMeanwhile) -> str:
    again = f"import it again in its zone, which was {error.zone}: --zone {error.zone}"
    return f"{again}; rows already recorded count as duplicates" if error.zone else ""


def _missing_field(error: MissingField) -> str:
    return "" if error.of == "player" else f"import with --map {error.name}=COLUMN, or amend the result"


def _odd_results(error: OddResults) -> str:
    (uid, _), *_ = error.first
    void, amend = f"ratingcore void LOG {uid}", f"ratingcore amend LOG {uid}"
    if not error.lacks:
        return f"{void}, or give it a pool of its own: {amend} pool=OTHER"
    return f"{amend} {'points_a=N points_b=N' if error.lacks == 'points' else f'{error.lacks}=VALUE'}, or {void}"


def _no_such_log(error: NoSuchLog) -> str:
    if error.path.startswith(("postgresql:", "postgres:")):
        return f"{error.hint}; import and record make one"
    return "import, seed, record and serve make a log; the other commands read one"


def _install(extra: str) -> str:
    """Returns the command that installs an extra from the same place as ratingcore itself."""
    import json  # imported here because most errors do not need it
    from importlib.metadata import distribution
    from urllib.parse import urlsplit
    from urllib.request import url2pathname

    origin = json.loads(distribution("ratingcore").read_text("direct_url.json") or "{}")
    url, editable = origin.get("url", ""), origin.get("dir_info", {}).get("editable")
    what = f"{url2pathname(urlsplit(url).path)}[{extra}]" if url.startswith("file:") else f"ratingcore[{extra}]"
    if "vcs_info" in origin:
        what += f" @ {origin['vcs_info']['vcs']}+{url}"
    return f'pip install {"-e " if editable else ""}"{what}"'


def _store_not_found(error: StoreNotFound) -> str:
    if error.scheme in ("postgresql", "postgres") and not (error.near or error.broken):
        return f"the plugin ratingcore_postgres offers it: {_install('postgres')}"
    return _not_installed(error)


def _not_installed(error: MethodNotFound | StoreNotFound) -> str:
    return f"{error.hint} (see: ratingcore plugins)" if error.broken and not error.near else ""


def _unknown_name(error: UnknownName) -> str:
    met = [f"did you mean {' or '.join(error.near)}?"] if error.near else []
    return " ".join([*met, "--newcomers allows players who have not played yet"]) if error.newcomer else ""


_HINTS: Mapping[type[RatingCoreError], str | Callable[[Any], str]] = {
    BadDocument: "ratingcore show LOG NAME --format json writes one",
    BadFile: lambda error: SETTINGS.get(error.setting, "").format(advice=error.advice),
    BrokenChain: "go back to a backup that verifies: ratingcore verify LOG",
    BrokenContract: lambda error: f"ratingcore check {error.method}",
    CannotFit: _cannot_fit,
    CannotSay: _cannot_say,
    ColumnNotFound: _column_not_found,
    DeclaredMeanwhile: _declared_meanwhile,
    DoesNotFit: lambda error: (
        "name the pool without the conditions"
        if error.pool.endswith("]")
        else f"give what is missing, or another pool; ratingcore declare LOG --pool {error.pool} changes what it takes"
    ),
    MethodNotFound: _not_installed,
    MissingField: _missing_field,
    NewerLog: "install a newer ratingcore: pip install --upgrade ratingcore",
    NoAnchors: "ratingcore anchor LOG prints one",
    NoPast: "list it by day: --through DAY",
    NoShares: "write 1-0, 0.5-0.5 or 0-1; points and goals are facts: --set points_a=2 --set points_b=1",
    NoSuchLog: _no_such_log,
    NoZone: lambda error: error.advised(
        "give the zone of the file: --zone Europe/Prague, or --zone UTC for one that was imported before, when times "
        "without an offset were read as UTC",
        f"; or declare the zone of the pool: ratingcore declare LOG --pool {error.pool} --zone ZONE",
    ),
    NotALog: lambda error: (
        "ratingcore restore BACKUP LOG puts a backup in the place of a log"
        if error.advice in (NotALog.DAMAGED, NotALog.FOREIGN)
        else ""
    ),
    NotBackfilled: "import all pools together into a new log first; or import without --known, as known from now on",
    NotInstalled: lambda error: _install(error.extra) if error.extra else "",
    NotOfWriter: lambda error: WRITTEN.get(error.parameter, ""),
    NotOnLines: lambda error: SETTINGS.get(error.setting, "").format(advice=error.advice),
    OddResults: _odd_results,
    OtherHistory: "open it again to read what is there now; ratingcore verify --anchor checks an earlier head",
    PluginFails: "report it to its authors; ratingcore --debug COMMAND shows where; everything else works without it",
    RowsRefused: "see every reason with --dry-run, or import without --strict",
    ScoresInDoubt: lambda error: error.advised(map_option),
    SeveralPools: lambda error: f"choose one: --pool {error.pools[0]}",
    StoreNotFound: _store_not_found,
    UnknownList: lambda error: "" if error.near else "ratingcore lists LOG has their names",
    UnknownName: _unknown_name,
    UnknownUid: "ratingcore log LOG lists uids beside positions; void takes positions with --positions",
    WrongForm: "choose a method that reads sides (ratingcore methods), or keep sessions in a pool of their own",
}

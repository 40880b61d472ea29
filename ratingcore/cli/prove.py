"""`ratingcore prove`: a document of a list checked against the log."""

import sys

import click

from ratingcore.cli import options
from ratingcore.cli.command import Command
from ratingcore.cli.console import Mistake, complain, note
from ratingcore.cli.exit_codes import FAILED
from ratingcore.cli.open_log import reading
from ratingcore.cli.output import write
from ratingcore.errors import BadFile

LONGEST = 2**28
"""Bytes of a document at most."""


@click.command(
    "prove",
    cls=Command,
    examples=(
        "ratingcore prove list.json club.db",
        "ratingcore prove - club.db < list.json",
        "ratingcore prove signed.json club.db --key public.pem",
    ),
)
@click.argument("file")
@options.log
@click.option(
    "--key", metavar="KEYFILE",
    help="The document must be signed by this key: the public half of an Ed25519 key, a PEM file.",
)  # fmt: skip
@options.form
def prove(file: str, log: str, key: str | None, form: str | None) -> None:
    """Recompute a list from its JSON document, and check every part of it.

    FILE is what show --format json wrote; - reads stdin. Columns: check, holds (yes, no or unproved), told. Checked:
    that the head it was made from is a part of the log, the method, the day, every row, the seal of the rows, the
    digest, the name under which it was published, and with --key who signed it. Ends with exit code 1 if anything
    fails. Unproved is the head of a list that was carried over into a log made anew: only that log says so.
    """
    from ratingcore.readers.files import content

    try:
        text = _stdin() if file == "-" else content(file, LONGEST)
    except BadFile as problem:
        raise Mistake(str(problem), "the document comes first, then the log") from None
    with reading(log) as engine:
        proof = engine.prove(text, key)
    write(proof, ("check", "holds", "told"), form)
    for row in proof.different:
        note(str(row))
    if proof.more:
        note(f"... and {proof.more} more rows that differ")
    if proof.unchecked:
        note(f"not checked: {', '.join(proof.unchecked)}")
    if not proof.holds:
        failed = ", ".join(check.what for check in proof.checks if not check.holds)
        complain(f"the document does not hold: {failed}")
        raise click.exceptions.Exit(FAILED)
    if proof.unproved:
        note(
            f"warning: unproved: {', '.join(proof.unproved)}; only an anchor or a copy of the log before could prove it"
        )
        note("the rest of the document holds")
        return
    note("the document holds")


def _stdin() -> bytes:
    """What stdin brings, if it is no more than a document may have."""
    read = sys.stdin.buffer.read(LONGEST + 1)
    if len(read) > LONGEST:
        raise BadFile("stdin", f"it has more than {LONGEST:,} bytes")
    return read

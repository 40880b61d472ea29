"""Writes tournament reports, TRF16 and TRF26: of a tournament of any format, or of a TRF file in the other version."""

from collections.abc import Iterator

from attrs import frozen

from ratingcore.plugin.readers import CannotWrite, Outgoing, Sample, Writer, one_of
from ratingcore_chess.trf import sniff
from ratingcore_chess.trf_report import Report
from ratingcore_chess.trf_versions import respelt

_ENDS = {"crlf": "\r\n", "lf": "\n", "cr": "\r"}


@frozen
class TrfForm:
    """Options of the writer of TRF.

    Parameters
    ----------
    version : {"", "16", "26"}
        Which version of the format; that of the file if it is TRF already, else 16.
    eol : {"crlf", "lf", "cr"}
        What ends lines.
    encoding : {"utf-8", "cp1252", "iso-8859-15"}
        How characters are written; a name with others is refused.
    """

    version: str = one_of("", "16", "26")
    eol: str = one_of("crlf", "lf", "cr")
    encoding: str = one_of("utf-8", "cp1252", "iso-8859-15")


def write_trf(out: Outgoing, options: TrfForm) -> Iterator[bytes]:
    """The lines of a report.

    Those of a file that is TRF already stay as they are, unknown records among them, but for records that the version
    asked for spells otherwise.
    """
    end, name = _ENDS[options.eol], out.name or "the report"
    lines = _same(out, options.version) or Report.of(out).lines(teams="310" if options.version == "26" else "013")
    for line in lines:
        try:
            yield (line.rstrip() + end).encode(options.encoding)
        except UnicodeEncodeError as error:
            lacking = line[error.start : error.end][:20]
            raise CannotWrite(
                name, f"{options.encoding} has no characters {lacking!r}: {line[:60].rstrip()}",
                "write it as UTF-8, --to trf:encoding=utf-8",
            ) from None  # fmt: skip


def _same(out: Outgoing, version: str) -> list[str]:
    """The lines of a source that is TRF, in a version; none of another one."""
    source = out.source
    if source is None:
        return []
    content = source.content()
    if not sniff(Sample(source.name, content[: 2**16], len(content))):
        return []
    lines = source.text_lines()
    return respelt(lines, version, out.remark) if version else lines


TRF_REPORT = Writer("trf", "tournament report of one tournament, TRF16 or TRF26", TrfForm, write=write_trf)

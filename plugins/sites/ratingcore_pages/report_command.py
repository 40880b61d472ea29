"""`ratingcore report`: lists, a comparison, the health of a pool and a backdating in one folder, by a plan."""

from pathlib import Path

import click

from ratingcore.errors import NotInstalled
from ratingcore.plugin.commands import check_free, command, counting, options, reading, say


@command(
    "report",
    "ratingcore report club.db meeting.toml",
    "ratingcore report club.db meeting.toml --to spring",
)
@options.log
@click.argument("plan", metavar="PLAN")
@click.option("--to", "folder", metavar="FOLDER", help="A new folder; named after the plan if left out.")
def report(log: str, plan: str, folder: str | None) -> None:
    """Write a report for a meeting: pages in a new folder, index.html first.

    PLAN is a TOML file. Its first lines may set title, language, pool, through and known_at. Each of its tables is a
    part: [list], or several as [[list]], with title, method, policy, top, show, where, sort, ranks and since (a
    published list); [comparison] with methods, against, since, burn_in, refit, cohorts, players, policy and seed;
    [health] with method; [backdating] with old, new, start and the other fields of a plan of ratingcore backdate. The
    same log and plan give the same bytes.
    """
    try:
        from ratingcore_pages.report import report as made  # they need the extra
        from ratingcore_pages.report_plan import ReportPlan
    except ImportError as missing:
        raise NotInstalled(missing.name or "", "report", "report") from None
    report = ReportPlan.read(plan)
    target = Path(folder or Path(plan).stem)
    check_free(folder=str(target))
    with reading(log) as engine, counting("made", "pages") as progress:
        pages = made(engine, report, progress)
    target.mkdir(parents=True, exist_ok=True)
    for name, html in pages.items():
        (target / name).write_text(html, encoding="utf-8", newline="\n")
    say(f"{target}: {', '.join(pages)}")

"""Imports for reports of plugins: tables, pictures, sections, and pages that need no other file."""

from ratingcore.report.charts import DOTS, MARKS, PERIODS, STEP, curves, distributions, forest, over_time, ranks
from ratingcore.report.frame import BREAK, ROWS, Section, framed, made_from
from ratingcore.report.style import (
    COLOURS,
    CONFIG,
    DASHES,
    FEW,
    INK,
    QUIET,
    SHAPES,
    WIDTH,
    Picture,
    check_installed,
    evenly,
    first_few,
    library,
    numbers,
    padded,
    series,
    values,
    version,
)
from ratingcore.report.table import (
    AsRow,
    AsSequence,
    AsTable,
    AsTables,
    Table,
    columns_of,
    provenance,
    with_visible_names,
)

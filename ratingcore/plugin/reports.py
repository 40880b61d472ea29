"""What the report of a plugin is drawn of: tables, pictures, sections, and a page that needs no other file."""

from ratingcore.report.charts import DOTS, curves, distributions, forest, over_time, ranks
from ratingcore.report.frame import BREAK, ROWS, Section, framed, made_from
from ratingcore.report.style import (
    COLOURS,
    DASHES,
    FEW,
    INK,
    SHAPES,
    Picture,
    evenly,
    first_few,
    library,
    numbers,
    series,
    values,
)
from ratingcore.report.table import Table, Tabled, columns_of, with_called

"""A section of a report: a heading, how to read what follows, the pictures, and the tables behind them."""

from attrs import frozen

from ratingcore.report.style import Picture
from ratingcore.report.table import Table


@frozen(eq=False)
class Section:
    """A part of the page.

    Parameters
    ----------
    key : str
        Its anchor.
    heading : str
    lead : str
        How to read it, in plain words.
    pictures : tuple of Picture
    tables : tuple of Table
        The numbers behind the pictures.
    note : str
        What was left out of the pictures.
    """

    key: str
    heading: str
    lead: str
    pictures: tuple[Picture, ...]
    tables: tuple[Table, ...]
    note: str = ""

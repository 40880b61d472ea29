"""A section of a report: a heading, a lead, pictures, and the tables behind them."""

from attrs import frozen

from ratingcore.report.style import Picture
from ratingcore.report.table import Table


@frozen(eq=False)
class Section:
    """One section of the page.

    Parameters
    ----------
    key : str
        Anchor of the section.
    heading : str
    lead : str
        How to read the pictures and tables, in plain words.
    pictures : tuple of Picture
    tables : tuple of Table
        The numbers behind the pictures.
    note : str
        What the pictures leave out.
    """

    key: str
    heading: str
    lead: str
    pictures: tuple[Picture, ...]
    tables: tuple[Table, ...]
    note: str = ""

"""Pictures of scores: the log loss of every method, and its difference from the reference."""

from ratingcore.report.forest import forest
from ratingcore.report.style import Picture, listed, numbers
from ratingcore.report.table import Table


def scores(table: Table) -> list[Picture]:
    """Log loss of every method with its interval, best on top."""
    rows = [row for row in table if row["log_loss"] is not None]
    if not rows:
        return []
    names, point = [str(row["method"]) for row in rows], numbers(rows, "log_loss")
    low, high = numbers(rows, "log_loss_low"), numbers(rows, "log_loss_high")
    text = f"Log loss a game, less is better: {listed(names, point)}."
    return [Picture("Log loss", text, forest(names, point, low, high, "log loss, nats a game (less is better)"))]


def differences(table: Table, reference: str) -> list[Picture]:
    """How much better than the reference every other method is, with its interval."""
    rows = [row for row in table if row["method"] != reference and row["better_by"] is not None]
    if not rows:
        return []
    names, point = [str(row["method"]) for row in rows], numbers(rows, "better_by")
    low, high = numbers(rows, "better_by_low"), numbers(rows, "better_by_high")
    text = f"Nats a game by which each method is better than {reference}: {listed(names, point)}."
    chart = forest(names, point, low, high, "better by, nats a game (right of 0 is better)", zero=True)
    return [Picture(f"Against {reference}", text, chart)]

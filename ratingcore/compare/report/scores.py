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
    title = "Log loss of sessions" if "session" in table.unit else "Log loss"
    text = f"Log loss {_each(table)}, less is better: {listed(names, point)}."
    return [Picture(title, text, forest(names, point, low, high, f"log loss, {table.unit} (less is better)"))]


def differences(table: Table, reference: str) -> list[Picture]:
    """How much better than the reference every other method is, with its interval."""
    rows = [row for row in table if row["method"] != reference and row["better_by"] is not None]
    if not rows:
        return []
    names, point = [str(row["method"]) for row in rows], numbers(rows, "better_by")
    low, high = numbers(rows, "better_by_low"), numbers(rows, "better_by_high")
    sessions = " on sessions" if "session" in table.unit else ""
    text = f"Nats {_each(table)} by which each method is better than {reference}: {listed(names, point)}."
    chart = forest(names, point, low, high, f"better by, {table.unit} (right of 0 is better)", zero=True)
    return [Picture(f"Against {reference}{sessions}", text, chart)]


def _each(table: Table) -> str:
    """What a score is of: a game, or a session."""
    return table.unit.partition(" ")[2]

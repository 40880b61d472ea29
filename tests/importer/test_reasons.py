"""Why rows are refused: classes with facts, so that nobody takes a sentence apart."""

from typing import Any

import ratingcore as rc
from ratingcore.importer.tables import FieldMap
from ratingcore.readers import Reason

RAPID = "played,a,b,score\n2024-03-02,ann,bo,1\n"


def reasons(engine: rc.Engine, text: str, **options: Any) -> list[tuple[str, dict[str, object]]]:
    """The classes and the facts of the refused rows of a table."""
    fields = text.split("\n", 1)[0].split(",")
    rows = [dict(zip(fields, line.split(","), strict=False)) for line in text.split("\n")[1:] if line]
    refused = engine.import_file(rows, "rapid", **options).refused
    assert all(isinstance(why, Reason) for _, why, _ in refused)
    return [(why.kind.__name__, dict(why.facts)) for _, why, _ in refused if isinstance(why, Reason)]


def test_a_row_that_the_log_has_otherwise_names_both_values_of_each_field() -> None:
    engine = rc.open(":memory:")
    assert reasons(engine, RAPID) == []
    ((kind, facts),) = reasons(engine, RAPID.replace("bo,1", "bo,0.5"))
    assert (kind, facts["position"], facts["by_id"]) == ("RecordedOtherwise", 1, False)
    assert (facts["fields"], facts["players"]) == ((("score", "1", "0.5"),), ("ann", "bo"))
    ((kind, facts),) = reasons(engine, "played,a,b,score,round\n2024-03-02,ann,bo,1,F\n")
    assert facts["fields"] == (("round", "", "F"),)


def test_a_row_for_a_pool_of_other_results_names_the_pool_and_what_it_takes() -> None:
    engine = rc.open(":memory:")
    engine.declare("rapid", fits="elo-margin")
    ((kind, facts),) = reasons(engine, RAPID)
    assert (kind, facts["pool"], facts["fits"]) == ("NotOfPool", "rapid", "elo-margin")


def test_a_report_that_contradicts_that_of_the_other_side_names_its_line() -> None:
    text = "played,a,b,score\n2024-03-02,ann,bo,1\n2024-03-02,bo,ann,1\n"
    ((kind, facts), _) = reasons(rc.open(":memory:"), text, fields=FieldMap({}, mirrored=True))
    assert (kind, facts["line"], facts["fields"]) == ("OtherSideDiffers", 2, (("score", "1.0", "0.0"),))

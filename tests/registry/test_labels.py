"""Labels of methods, `Old rule=elo:k=40`: read in one place, shown to people, and no part of the log."""

import pytest

import ratingcore as rc
from ratingcore.errors import BadValue, MethodNotFound
from ratingcore.methods.rule_histories import labelled
from ratingcore.registry import Registry

INSTALLED = Registry.installed()


@pytest.mark.parametrize(
    ("text", "label", "method"),
    [
        ("Old rule=elo:k=40", "Old rule", "elo:k=40"), (" Old = elo ", "Old", "elo"),
        ("elo:k=40", "elo:k=40", "elo:k=40"),
        ("elo@1(k=40.0)", "elo@1(k=40.0)", "elo@1(k=40.0)"), ("New=elo@1(k=40.0)", "New", "elo@1(k=40.0)"),
        ("=elo", "=elo", "=elo"),
    ],
)  # fmt: skip
def test_a_label_is_what_stands_before_the_first_equals_sign(text: str, label: str, method: str) -> None:
    assert labelled(text) == (label, method)


def test_a_method_is_the_same_with_and_without() -> None:
    assert INSTALLED.method("Old rule=elo:k=40") == INSTALLED.method("elo:k=40")
    assert INSTALLED.named("Old rule=elo:k=40") == ("Old rule", INSTALLED.method("elo:k=40"))
    with pytest.raises(MethodNotFound):
        INSTALLED.method("Old rule=eloo")


def league() -> rc.Engine:
    engine = rc.open(":memory:")
    for day in range(1, 29):
        score = float(day % 3 > 0)
        engine.record(rc.GamePlayed(pool="p", played=f"2024-02-{day:02d}", a="ann", b="bo", score=score))
    return engine


def test_comparisons_call_methods_by_their_labels() -> None:
    engine = league()
    found = engine.compare("p", ["Old rule=elo:k=40", "New=elo:k=10"], reference="New")
    assert (set(found.methods), found.reference) == ({"Old rule", "New"}, "New")
    assert engine.compare("p", ["Old=elo:k=40", "elo:k=10"], reference="Old=elo:k=40").reference == "Old"
    facts = {str(row["fact"]): str(row["value"]) for row in found.provenance}
    assert facts["method Old rule"].startswith("elo@1(k=40.0")
    with pytest.raises(BadValue, match="must have different texts"):
        engine.compare("p", ["A=elo:k=40", "A=elo:k=10"])


def test_tuning_and_lists_take_labels_and_the_log_has_none() -> None:
    engine = league()
    tuned = engine.tune("p", "Old rule=elo", {"k": "10:40:10"})
    assert tuned.method == "Old rule"
    assert tuned.best.method.startswith("elo:k=")
    published = engine.publish(engine.rating_list("p", "Old rule=elo:k=40"), "list")
    assert published.method.startswith("elo@1(k=40.0")
    engine.declare("p", method="Old rule=elo:k=40", fits="Any=elo")
    declared = engine.core.declared("p")
    assert declared is not None
    assert (declared.method, declared.fits) == ("elo:k=40", "elo")

"""Plans: what they may say, and how a mistake is told with its line."""

from datetime import date
from pathlib import Path

import pytest
import ratingcore_backdating
from ratingcore_backdating import BackdatingPlan

from ratingcore.errors import BadValue

WHOLE = """# Spring meeting
pool = "rapid"
old = "elo"
new = "elo:k=40"
start = ["now", 2024-03-05, "beginning"]
through = 2024-12-31
policy = "min_games=5"
thresholds = [1800, 2000.5]
grades = "fesa"
players = ["Zoë"]
"""


def test_a_plan_is_read_key_by_key() -> None:
    plan = BackdatingPlan.parse(WHOLE)
    assert (plan.pool, plan.old, plan.new) == ("rapid", "elo", "elo:k=40")
    assert plan.start == ("today", "2024-03-05", "beginning")
    assert plan.through == "2024-12-31"
    assert plan.policy.min_games == 5
    assert plan.thresholds == (1800, 2000.5)
    assert plan.players == ("Zoë",)


def test_one_start_needs_no_list_and_python_may_give_dates() -> None:
    assert BackdatingPlan.parse('old = "elo"\nnew = "elo:k=40"\nstart = "beginning"').start == ("beginning",)
    assert BackdatingPlan("elo", "elo:k=40", date(2024, 3, 5)).start == ("2024-03-05",)


def test_the_plan_of_a_report_reads_back_as_the_same_plan() -> None:
    plan = BackdatingPlan.parse(WHOLE)
    again = BackdatingPlan.parse(plan.toml("rapid", "60:f3a9"))
    assert (again.start, again.through, again.policy, again.thresholds, again.players, again.grades) == (
        plan.start, plan.through, plan.policy, plan.thresholds, plan.players, plan.grades,
    )  # fmt: skip
    assert again.known_at == "60:f3a9"


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ('methd = "elo"', "plan.toml, line 4: key must be one of old, new, start"),
        ("[start]", "TOML"),
        ('pool = ""', "line 4: pool must be a name"),
        ("thresholds = ['high']", "line 4: thresholds must be a finite number"),
        ("thresholds = [1800, 1800]", "must hold different ratings"),
        ('through = "soon"', "line 4: through must be an ISO date"),
        ('policy = "min_games"', "line 4: policy must be written"),
        ("policy = 3", "line 4: policy must be a text"),
        ("known_at = true", "line 4: known_at must be a position"),
        ('players = ["ann", 3]', "line 4: players must be a name"),
        ("start = [", "must be TOML"),
    ],
)
def test_a_mistake_is_named_with_its_line(line: str, said: str) -> None:
    with pytest.raises(BadValue, match="plan") as caught:
        BackdatingPlan.parse(f'old = "elo"\nnew = "elo:k=40"\nstart = "today"\n{line}\n', "plan.toml")
    assert said in str(caught.value)


@pytest.mark.parametrize(
    ("start", "said"),
    [
        ("[]", "must hold 'today'"),
        ('"soon"', "must be 'today', 'beginning' or a day: 'soon'"),
        ("[true]", "must be 'today', 'beginning' or a day"),
        ('[2024-03-05, "2024-03-05"]', "must hold different times"),
        ('["today", "now"]', "must hold different times"),
        ('["beginning", "Beginning"]', "must hold different times"),
    ],
)
def test_starts_that_are_none_or_the_same_are_refused(start: str, said: str) -> None:
    with pytest.raises(BadValue, match="line 3: start") as caught:
        BackdatingPlan.parse(f'old = "elo"\nnew = "elo:k=40"\nstart = {start}\n', "plan.toml")
    assert said in str(caught.value)


@pytest.mark.parametrize("key", ["old", "new", "start"])
def test_a_plan_without_a_rule_or_a_start_is_none(key: str) -> None:
    given = {"old": '"elo"', "new": '"elo:k=40"', "start": '"today"'}
    with pytest.raises(BadValue, match=f"must have the key: '{key}'"):
        BackdatingPlan.parse("\n".join(f"{name} = {value}" for name, value in given.items() if name != key))


def test_a_file_that_is_not_there_or_no_text_is_told(tmp_path: Path) -> None:
    with pytest.raises(BadValue, match="no such file"):
        BackdatingPlan.read(str(tmp_path / "plan.toml"))
    (tmp_path / "plan.toml").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(BadValue, match="UTF-8"):
        BackdatingPlan.read(str(tmp_path / "plan.toml"))


def test_the_plan_of_the_page_is_understood() -> None:
    page = Path(ratingcore_backdating.__file__).with_name("README.md").read_text(encoding="utf-8")
    plan = BackdatingPlan.parse(page.partition("```toml\n")[2].partition("```")[0], "plan.toml")
    assert (plan.old, plan.new, len(plan.start)) == ("elo", "elo:k=40", 3)

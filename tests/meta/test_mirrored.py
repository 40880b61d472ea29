"""Every module has its test at the mirrored path, or stands in `unmirrored.txt` with the reason."""

from pathlib import Path

ROOT = Path(__file__).parents[2]
LIST = Path(__file__).with_name("unmirrored.txt")


def without_test() -> list[str]:
    """Modules of ratingcore, as paths, that have no test of their own."""
    modules = (path.relative_to(ROOT / "ratingcore") for path in (ROOT / "ratingcore").rglob("*.py"))
    return sorted(
        module.as_posix()
        for module in modules
        if module.name != "__init__.py" and not (ROOT / "tests" / module.parent / f"test_{module.name}").exists()
    )


def listed() -> dict[str, str]:
    """Modules of the list, and why each has no test of its own."""
    lines = LIST.read_text(encoding="utf-8").splitlines()
    return {module: reason.strip() for module, _, reason in (line.partition(" ") for line in lines if line[:1] != "#")}


def test_a_module_without_a_mirrored_test_is_on_the_list() -> None:
    assert [module for module in without_test() if module not in listed()] == []


def test_no_entry_of_the_list_is_stale() -> None:
    assert [module for module in listed() if module not in without_test()] == []


def test_the_list_is_sorted_and_its_reasons_name_tests_that_exist() -> None:
    reasons = listed()
    assert list(reasons) == sorted(reasons)
    for module, reason in reasons.items():
        assert reason, module
        named = [word.strip(",;.") for word in reason.split() if word.startswith("tests/")]
        assert [path for path in named if not (ROOT / path).exists()] == [], module

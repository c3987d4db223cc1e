"""The faults that `make mutants` plants fit the code, and its runner tells caught faults from all others."""

import json
import os
from collections import Counter
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from tools.mutants import __main__ as command_line
from tools.mutants.baseline import repeated_test, wrongly_caught
from tools.mutants.mutant import Misfit, Mutant, find_misfits, load_mutants
from tools.mutants.results import Results, is_good_enough, percent_caught, summary_lines
from tools.mutants.tree_copy import copy_tree, planted
from tools.mutants.try_mutant import Result, environment_for, failed_tests, prepare_cluster, try_mutant

MUTANTS = load_mutants()
RULE = "def is_adult(age: int) -> bool:\n    return age >= 18\n"
TEST = "from cairn.rule import is_adult\n\ndef test_a_person_of_18_is_an_adult() -> None:\n    assert is_adult(18)\n"


def make_mutant(**changes: object) -> Mutant:
    fields = {
        "package": "waivers",
        "name": "adults-are-older",
        "file": "cairn/rule.py",
        "find": "age >= 18",
        "replace": "age > 18",
        "breaks": "A person of 18 is not an adult.",
        "tests": ("tests/test_rule.py::test_a_person_of_18_is_an_adult",),
    }
    return Mutant.model_validate({**fields, **changes})


def make_result(outcome: str, mutant: Mutant | None = None) -> Result:
    fields = {"mutant": (mutant or make_mutant()).id, "fingerprint": "f", "outcome": outcome}
    return Result.model_validate(fields)


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A project with one rule and one test."""
    root = tmp_path / "tree"
    files = {
        "cairn/__init__.py": "",
        "cairn/app.py": "",
        "cairn/rule.py": RULE,
        "tests/test_rule.py": TEST,
        "web/rule.test.ts": "",
    }
    for name, content in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(content)
    return root


def test_every_mutant_fits_the_code() -> None:
    assert list(find_misfits(MUTANTS)) == []


def test_there_are_enough_mutants_in_each_language() -> None:
    counts = Counter(mutant.language for mutant in MUTANTS)

    assert len(MUTANTS) >= 150
    assert counts.keys() == {"SQL", "Python", "TypeScript"}
    assert min(counts.values()) >= 25


def test_every_mutant_says_in_a_sentence_what_it_breaks() -> None:
    assert [mutant.id for mutant in MUTANTS if not (mutant.breaks[0].isupper() and mutant.breaks.endswith("."))] == []


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"find": "age >= 21"}, "the text to replace occurs 0 times in cairn/rule.py"),
        ({"find": "age"}, "the text to replace occurs 2 times in cairn/rule.py"),
        ({"replace": "age >= 18"}, "the replacement is the same text"),
        ({"file": "cairn/gone.py"}, "there is no file cairn/gone.py"),
        ({"tests": ("tests/test_gone.py",)}, "there is no test tests/test_gone.py"),
        ({"tests": ("tests/test_rule.py::test_gone",)}, "there is no test tests/test_rule.py::test_gone"),
        ({"tests": ("tests/test_rule.py", "web/rule.test.ts")}, "its tests need two test runners"),
    ],
)
def test_a_mutant_that_no_longer_fits_is_found(tree: Path, change: dict[str, object], reason: str) -> None:
    assert list(find_misfits([make_mutant()], tree)) == []
    assert list(find_misfits([make_mutant(**change)], tree)) == [Misfit("waivers/adults-are-older", reason)]


def test_two_mutants_with_the_same_name_are_found(tree: Path) -> None:
    misfits = list(find_misfits([make_mutant(), make_mutant(replace="age > 17")], tree))

    assert misfits == [Misfit("waivers/adults-are-older", "two mutants have this name")]


@pytest.mark.parametrize(
    ("replacement", "outcome"),
    [("age > 18", "caught"), ("age >= 17", "survived"), ("age >= ", "invalid"), ("age >= 18 and unknown()", "caught")],
)
def test_the_tests_decide_the_outcome(tree: Path, tmp_path: Path, replacement: str, outcome: str) -> None:
    variables = environment_for(tree, tmp_path / "temporary", os.environ)

    result = try_mutant(make_mutant(replace=replacement), tree, variables, "fingerprint")

    assert result.outcome == outcome, result.detail
    assert ("test_a_person_of_18_is_an_adult" in result.caught_by) == (outcome == "caught")
    assert (tree / "cairn" / "rule.py").read_text() == RULE


def test_a_test_that_fails_without_a_fault_catches_nothing(tree: Path, tmp_path: Path) -> None:
    variables = environment_for(tree, tmp_path / "temporary", os.environ)
    (tree / "tests" / "test_broken.py").write_text("def test_always_fails() -> None:\n    assert False\n")
    by_good_test = make_result("caught").model_copy(update={"caught_by": f"{make_mutant().tests[0]}[18]"})
    by_broken_test = by_good_test.model_copy(update={"caught_by": "tests/test_broken.py::test_always_fails"})
    caught = [by_good_test, by_broken_test]
    tests = {repeated_test(make_mutant(), result) for result in caught}
    assert tests == {make_mutant().tests[0], "tests/test_broken.py::test_always_fails"}

    (doubtful,) = wrongly_caught(caught, tests, tree, variables)

    assert (doubtful.outcome, doubtful.caught_by) == ("invalid", by_broken_test.caught_by)
    assert "fails without it, too" in doubtful.detail


def test_the_whole_file_of_a_web_test_is_repeated() -> None:
    mutant = make_mutant(file="web/app/rule.ts", tests=("web/app/age.test.ts", "web/app/rule.test.ts"))
    result = make_result("caught", mutant).model_copy(update={"caught_by": "rule.test.ts: an adult signs alone"})

    assert repeated_test(mutant, result) == "web/app/rule.test.ts"


def test_a_test_file_that_cannot_be_imported_catches_nothing(tree: Path, tmp_path: Path) -> None:
    variables = environment_for(tree, tmp_path / "temporary", os.environ)
    renamed = make_mutant(find="def is_adult", replace="def is_grown_up")

    result = try_mutant(renamed, tree, variables, "fingerprint")

    assert result.outcome == "invalid"
    assert "cannot import name 'is_adult'" in result.detail


@pytest.mark.slow
def test_a_prepared_database_gets_the_changed_sql(tmp_path: Path) -> None:
    tree = tmp_path / "tree"
    copy_tree(tree)
    definition = "create or replace function waivers.field_hash(field text) returns bytea"
    test = "tests/waivers/test_evidence_format.py::test_another_program_computes_the_hash_of_an_older_record"
    changes = {"returns bytea": "returns no_such_type", "field text": "field text default null"}

    # The path of a socket cannot be as long as that of `tmp_path`.
    with TemporaryDirectory() as temporary:
        variables = environment_for(tree, Path(temporary), os.environ)
        variables |= prepare_cluster(tree, Path(temporary) / "cluster", variables)
        mutants = [
            make_mutant(
                file="cairn/waivers/sql/record_hash.sql",
                find=definition,
                replace=definition.replace(text, replacement),
                tests=(test,),
            )
            for text, replacement in changes.items()
        ]
        broken, harmless = [try_mutant(mutant, tree, variables, "fingerprint") for mutant in mutants]

    assert (broken.outcome, harmless.outcome) == ("invalid", "survived"), harmless.detail
    assert "no_such_type" in broken.detail


def test_a_web_test_that_cannot_be_imported_catches_nothing(tmp_path: Path) -> None:
    """In the report of such a run, the file has failed, but no test."""
    report = tmp_path / "report"
    report.write_text(json.dumps({"testResults": [{"name": "a.test.ts", "status": "failed", "assertionResults": []}]}))
    assert list(failed_tests(report, "TypeScript")) == []

    failed = {"status": "failed", "fullName": "csv keeps formulas out"}
    report.write_text(json.dumps({"testResults": [{"name": "x/a.test.ts", "assertionResults": [failed]}]}))
    assert list(failed_tests(report, "TypeScript")) == ["a.test.ts: csv keeps formulas out"]


def test_a_planted_mutant_is_removed_even_after_an_error(tree: Path) -> None:
    path = tree / "cairn" / "rule.py"
    before = path.stat().st_mtime

    with pytest.raises(KeyboardInterrupt), planted(make_mutant(), tree):
        assert "age > 18" in path.read_text()
        assert path.stat().st_mtime != before, "otherwise Python would use the compiled module of the original"
        raise KeyboardInterrupt

    assert (path.read_text(), path.stat().st_mtime) == (RULE, before)


def test_an_interrupted_run_is_continued_unless_the_code_has_changed(tree: Path, tmp_path: Path) -> None:
    mutant, file = make_mutant(), tmp_path / "results"
    fingerprint = mutant.fingerprint(tree)
    Results(file, keeps_earlier=False).add(
        make_result("caught", mutant).model_copy(update={"fingerprint": fingerprint})
    )

    continued = Results(file, keeps_earlier=True)
    assert continued.of({mutant.id: fingerprint}).keys() == {mutant.id}

    (tree / "tests" / "test_rule.py").write_text(TEST + "\n")
    assert continued.of({mutant.id: mutant.fingerprint(tree)}) == {}
    assert Results(file, keeps_earlier=False).of({mutant.id: fingerprint}) == {}


def test_the_summary_explains_each_mutant_that_was_not_caught() -> None:
    caught = make_mutant(name="caught")
    unexplained = make_mutant(name="unexplained")
    explained = make_mutant(name="explained", survives_because="The condition is never true.")
    results = {
        mutant.id: make_result(outcome, mutant)
        for mutant, outcome in ((caught, "caught"), (unexplained, "survived"), (explained, "survived"))
    }

    summary = "\n".join(summary_lines([caught, unexplained, explained, make_mutant()], results))

    assert "1 of 3 mutants were caught (33.3 %); 2 survived." in summary
    assert "1 mutants were not tried yet. `--continue` tries them:\n  waivers/adults-are-older" in summary
    assert summary.count("What it breaks: A person of 18 is not an adult.") == 2
    assert "Why: The condition is never true." in summary
    assert "Why: not explained yet." in summary


@pytest.mark.parametrize(
    ("outcomes", "is_good"),
    [
        (["caught"] * 19 + ["survived"], True),
        (["caught"] * 18 + ["survived"], False),
        (["caught"] * 18 + ["too slow"], False),
        (["caught"] * 100 + ["invalid"], False),
    ],
)
def test_at_least_95_percent_must_be_caught_and_none_may_be_invalid(outcomes: list[str], is_good: bool) -> None:
    results = {str(number): make_result(outcome) for number, outcome in enumerate(outcomes)}

    assert is_good_enough(results) == is_good
    assert percent_caught({}) == 100.0


def test_an_unknown_package_is_not_silently_skipped() -> None:
    with pytest.raises(SystemExit, match="no such mutant or package"):
        command_line.main(["--package", "waiver"])

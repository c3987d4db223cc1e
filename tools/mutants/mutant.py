"""Reads the lists of faults."""

import re
import tomllib
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from pydantic import BaseModel, ConfigDict, Field

ROOT = Path(__file__).parent.parent.parent
FAULTS = Path(__file__).parent / "faults"
# These lists come first, so that a run that is stopped early has tried the faults that would do the most harm.
MOST_IMPORTANT_LISTS = ("waivers-evidence", "waivers-acts", "rest", "billing", "auth", "waivers", "storage")
SUFFIXES = {".sql": "SQL", ".py": "Python", ".ts": "TypeScript", ".tsx": "TypeScript"}


class Mutant(BaseModel):
    """One fault. `name` is unique among the mutants of its package."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    package: str
    name: str = Field(pattern=r"^[a-z0-9-]+$")
    file: str
    find: str = Field(min_length=1)
    """This text occurs exactly once in the file."""
    replace: str
    breaks: str = Field(min_length=1)
    """What goes wrong with this fault, in a sentence."""
    tests: tuple[str, ...] = Field(min_length=1)
    """Test files, or single tests in the form `file::test_name` or `file::TestClass::test_name`, in this order."""
    survives_because: str | None = None
    """Why no test catches this fault. It is set only if no test could, for example if the fault changes nothing."""

    @property
    def id(self) -> str:
        return f"{self.package}/{self.name}"

    @property
    def language(self) -> str:
        return SUFFIXES.get(Path(self.file).suffix, "")

    @property
    def test_files(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(test.partition("::")[0] for test in self.tests))

    def fingerprint(self, root: Path) -> str:
        """Changes if the mutant, the file that it changes, or one of its test files changes."""
        texts = [self.model_dump_json(), *((root / file).read_text("utf-8") for file in (self.file, *self.test_files))]
        return sha256("\x00".join(texts).encode()).hexdigest()


class Misfit(NamedTuple):
    mutant: str
    reason: str


def load_mutants(folder: Path = FAULTS) -> list[Mutant]:
    """Returns all mutants, those of the most important lists first. The name of a list is the name of its package."""
    return [
        Mutant(package=file.stem, **entry)
        for file in sorted(folder.glob("*.toml"), key=_importance)
        for entry in tomllib.loads(file.read_text("utf-8")).get("mutant", [])
    ]


def _importance(file: Path) -> tuple[int, str]:
    lists = MOST_IMPORTANT_LISTS
    return (lists.index(file.stem) if file.stem in lists else len(lists), file.stem)


def find_misfits(mutants: list[Mutant], root: Path = ROOT) -> Iterator[Misfit]:
    """Yields what no longer fits the code: texts that do not occur once, and tests that do not exist."""
    ids = [mutant.id for mutant in mutants]
    yield from (Misfit(mutant_id, "two mutants have this name") for mutant_id in {i for i in ids if ids.count(i) > 1})
    for mutant in mutants:
        yield from (Misfit(mutant.id, reason) for reason in _misfits_of(mutant, root))


def _misfits_of(mutant: Mutant, root: Path) -> Iterator[str]:
    if not mutant.language:
        yield f"{mutant.file} is neither SQL nor Python nor TypeScript"
    if not (root / mutant.file).is_file():
        yield f"there is no file {mutant.file}"
        return
    count = (root / mutant.file).read_text("utf-8").count(mutant.find)
    if count != 1:
        yield f"the text to replace occurs {count} times in {mutant.file}"
    if mutant.find == mutant.replace:
        yield "the replacement is the same text"
    if len({test.startswith("web/") for test in mutant.tests}) > 1:
        yield "its tests need two test runners"
    yield from (f"there is no test {test}" for test in mutant.tests if not _test_exists(test, root))


def _test_exists(test: str, root: Path) -> bool:
    file, *names = test.split("::")
    if not (root / file).is_file():
        return False
    if not names:
        return True
    indentation = "    " if len(names) > 1 else ""
    definition = re.compile(rf"^{indentation}(async )?def {re.escape(names[-1])}\(", re.MULTILINE)
    return definition.search((root / file).read_text("utf-8")) is not None

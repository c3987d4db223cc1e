"""Writes the lists of docs/architecture.md from the code, so that they always match. `make docs` runs this tool."""

import ast
import asyncio
import configparser
import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from cairn.db import shipped_definitions
from cairn.functions.gateway import FUNCTIONS
from cairn.jobs import EVENTS
from cairn.settings import PREFIX, Settings, nested_model, variable_names
from tools.signature_path import Step, trace_signature

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs" / "architecture.md"
_TRIGGER = re.compile(
    r"trigger \w+ (?P<when>.+?) on (?P<table>\S+)(?: .*?|\s.*?)execute function (?P<function>[\w.]+)", re.DOTALL
)


def main() -> None:
    lists = {name: render() for name, render in LISTS.items()}
    lists["signature"] = signature_list(asyncio.run(trace_signature()))
    DOCS.write_text(insert_lists(DOCS.read_text("utf-8"), lists), "utf-8")
    print(f"{DOCS.relative_to(ROOT)}: {', '.join(lists)}")


def insert_lists(text: str, lists: dict[str, str]) -> str:
    """Returns the text with each generated list between its two markers."""
    for name, content in lists.items():
        start, end = f"<!-- generated: {name} -->", f"<!-- end: {name} -->"
        before, marker, after = text.partition(start)
        if not marker:
            raise SystemExit(f"error: docs/architecture.md has no marker {start}")
        text = f"{before}{start}\n{content}\n{end}{after.partition(end)[2]}"
    return text


def packages() -> str:
    """Lists the packages from the top layer down, in the order that import-linter enforces."""
    config = configparser.ConfigParser()
    config.read(ROOT / ".importlinter")
    layers = config["importlinter:contract:layers"]["layers"].strip().splitlines()
    rows = []
    for number, layer in zip(range(len(layers), 0, -1), layers, strict=True):
        for name in re.findall(r"\((\w+)\)", layer):
            if name != "__main__":
                rows.append([str(number), f"`{name}`", summary(module_file(name))])
    return table(["layer", "package or file", "what it is"], rows)


def events() -> str:
    jobs = list(declared_jobs())
    rows = [
        [
            f"`{event}`",
            ", ".join(link(file) for file in files),
            "<br>".join(f"`{name}` in {link(file)}" for name, on, file in jobs if on == event) or "read by `realtime`",
        ]
        for event, files in EVENTS.items()
    ]
    return table(["event", "raised in", "jobs that follow"], rows)


def functions() -> str:
    rows = []
    for name, function in sorted(FUNCTIONS.items()):
        file = Path(function.__code__.co_filename)
        rows.append([f"`{name}`", link(file.relative_to(ROOT).as_posix()), summary(file)])
    return table(["function", "file", "what it does"], rows)


def triggers() -> str:
    rows = []
    for definition in shipped_definitions():
        if definition.object.startswith("trigger "):
            trigger = _TRIGGER.search(definition.sql)
            assert trigger is not None, definition.object
            when = " ".join(trigger["when"].split())
            rows.append([f"`{trigger['table']}`", when, f"`{trigger['function']}`", link(definition.file)])
    return table(["table or view", "when", "calls", "defined in"], sorted(rows))


def settings() -> str:
    """Lists one row per package. docs/operations.md lists each variable, and a test checks that list."""
    rows = []
    for name, field in Settings.model_fields.items():
        model = nested_model(field.annotation)
        if model is not None:
            file = module_file(model.__module__.removeprefix("cairn.").replace(".", "/"))
            count = len(list(variable_names(model)))
            rows.append([f"`{PREFIX}{name.upper()}__…`", link(file.relative_to(ROOT).as_posix()), str(count)])
    return table(["variables", "declared in", "how many"], rows)


def signature_list(steps: Sequence[Step]) -> str:
    parts = []
    for number, step in enumerate(steps, start=1):
        lines = [f"- {link(file)}{describe(file)}" for file in step.files]
        parts.append("\n".join([f"**{number}. {step.title}**", "", *lines, ""]))
    return "\n".join(parts)


def describe(file: str) -> str:
    text = summary(ROOT / file)
    return f": {text}" if text else ""


def declared_jobs() -> Iterator[tuple[str, str, str]]:
    """Yields the name, the event and the file of each `Job(...)` in the code."""
    for path in sorted((ROOT / "cairn").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Job":
                keywords = {keyword.arg: keyword.value for keyword in node.keywords}
                on = keywords.get("on") or node.args[1]
                yield ast.literal_eval(node.args[0]), ast.literal_eval(on), path.relative_to(ROOT).as_posix()


def module_file(name: str) -> Path:
    package = ROOT / "cairn" / name / "__init__.py"
    return package if package.exists() else ROOT / "cairn" / f"{name}.py"


def summary(path: Path) -> str:
    """Returns the first sentence of a module's docstring, or of the comment that opens an SQL file."""
    text = path.read_text("utf-8")
    if path.suffix == ".sql":
        comment = re.match(r"(?:-- .*\n)+", text)
        prose = " ".join(line.removeprefix("-- ") for line in comment[0].splitlines()) if comment else ""
    else:
        prose = " ".join((ast.get_docstring(ast.parse(text)) or "").split("\n\n")[0].split())
    return re.split(r"(?<=[a-z`)][.:]) (?=[A-Z`])", prose, maxsplit=1)[0].rstrip(".:")


def link(file: str) -> str:
    return f"[{file.removeprefix('cairn/')}](../{file})"


def table(headings: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [headings, ["---"] * len(headings), *rows]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)


LISTS: dict[str, Callable[[], str]] = {
    "packages": packages,
    "events": events,
    "functions": functions,
    "triggers": triggers,
    "settings": settings,
}


if __name__ == "__main__":
    main()

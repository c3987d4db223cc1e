"""The browser code has no import cycle, and its layers import only the layers below them."""

import re
from collections.abc import Iterator, Mapping
from functools import cache

import pytest

from tests.structure.tree import ROOT, read_source, relative_name, source_files

APP = "web/app/"
SIGN = "web/sign/"
# Matches static imports, side-effect imports, re-exports and `import("...")`.
IMPORT = re.compile(r"""(?:\bfrom\s*|\bimport\s*\(?\s*)["'](?P<module>(?:~/|\.)[^"']+)["']""")

# Maps each layer to the other layers that it may import. Its own files may be imported too, but no other feature's.
LAYERS: Mapping[str, frozenset[str]] = {
    "lib": frozenset(),
    "content": frozenset({"lib"}),
    "ui": frozenset({"lib"}),
    "features": frozenset({"lib", "ui", "content"}),
    "widgets": frozenset({"lib", "ui", "content", "features"}),
    "layouts": frozenset({"lib", "ui", "content", "features", "widgets"}),
    "routes": frozenset({"lib", "ui", "content", "features", "widgets", "layouts"}),
}
# The signing page is built separately and shares only these folders with the app.
SHARED_WITH_SIGN = ("web/app/lib/", "web/app/ui/", "web/app/features/signing/")

Graph = Mapping[str, frozenset[str]]


@cache
def import_graph() -> Graph:
    sources = {
        relative_name(path): read_source(path) for pattern in ("*.ts", "*.tsx") for path in source_files(pattern)
    }
    browser_sources = {file: source for file, source in sources.items() if file.startswith((APP, SIGN))}
    return {file: frozenset(imported_files(file, source, browser_sources)) for file, source in browser_sources.items()}


def imported_files(file: str, source: str, sources: Mapping[str, str]) -> Iterator[str]:
    for match in IMPORT.finditer(source):
        target = resolve(file, match["module"])
        yield from (path for path in (target, f"{target}.ts", f"{target}.tsx") if path in sources)


def resolve(file: str, module: str) -> str:
    folder = ROOT / APP if module.startswith("~/") else (ROOT / file).parent
    return (folder / module.removeprefix("~/")).resolve().relative_to(ROOT.resolve()).as_posix()


def without_tests(graph: Graph) -> Graph:
    return {file: targets for file, targets in graph.items() if not re.search(r"\.test(ing)?\.tsx?$", file)}


def find_cycle(graph: Graph) -> list[str]:
    """Returns the files of one cycle, or an empty list."""
    finished_files: set[str] = set()

    def visit(file: str, path: tuple[str, ...]) -> list[str]:
        if file in path:
            return [*path[path.index(file) :], file]
        if file in finished_files:
            return []
        for target in sorted(graph.get(file, ())):
            if cycle := visit(target, (*path, file)):
                return cycle
        finished_files.add(file)
        return []

    return next((cycle for file in sorted(graph) if (cycle := visit(file, ()))), [])


def layer_of(file: str) -> str | None:
    """Returns the folder below web/app, or None for root.tsx, paths.ts and the signing page."""
    part, slash, _ = file.removeprefix(APP).partition("/")
    return part if file.startswith(APP) and slash else None


def feature_of(file: str) -> str:
    return file.removeprefix(f"{APP}features/").partition("/")[0]


def is_allowed(file: str, target: str) -> bool:
    importing_layer, imported_layer = layer_of(file), layer_of(target)
    if importing_layer is None or imported_layer is None:
        return True
    if importing_layer == imported_layer:
        return importing_layer != "features" or feature_of(file) == feature_of(target)
    return imported_layer in LAYERS[importing_layer]


def test_the_import_graph_contains_the_browser_code() -> None:
    graph = import_graph()

    assert len(graph) > 400
    assert "web/app/lib/session.ts" in graph["web/app/lib/api.ts"]
    assert {layer_of(file) for file in graph} - {None} <= set(LAYERS)


def test_there_is_no_import_cycle() -> None:
    assert find_cycle(import_graph()) == []


def test_each_layer_imports_only_the_layers_below_it() -> None:
    graph = without_tests(import_graph())
    forbidden_imports = [
        f"{file} -> {target}" for file in graph for target in graph[file] if not is_allowed(file, target)
    ]

    assert forbidden_imports == []


def test_the_signing_page_imports_only_what_it_shares_with_the_app() -> None:
    graph = import_graph()
    targets = {target for file in graph if file.startswith(SIGN) for target in graph[file]}

    assert [target for target in targets if not target.startswith((SIGN, *SHARED_WITH_SIGN))] == []


@pytest.mark.parametrize(
    ("file", "target"),
    [
        ("web/app/lib/a.ts", "web/app/ui/b.tsx"),
        ("web/app/ui/a.tsx", "web/app/features/billing/b.ts"),
        ("web/app/features/billing/a.ts", "web/app/features/trial/b.ts"),
        ("web/app/features/billing/a.ts", "web/app/routes/b.tsx"),
        ("web/app/layouts/a.tsx", "web/app/routes/b.tsx"),
    ],
)
def test_an_import_of_a_higher_layer_or_another_feature_is_found(file: str, target: str) -> None:
    assert not is_allowed(file, target)


def test_a_cycle_is_found() -> None:
    graph = {"a": frozenset({"b"}), "b": frozenset({"c"}), "c": frozenset({"b"})}

    assert find_cycle(graph) == ["b", "c", "b"]


def test_zod_is_imported_with_its_configuration() -> None:
    """`~/lib/zod` turns off the compiling of schemas, which the content security policy of the pages forbids."""
    files = (path for pattern in ("*.ts", "*.tsx") for path in source_files(pattern))
    assert {relative_name(path) for path in files if 'from "zod"' in read_source(path)} == {"web/app/lib/zod.ts"}

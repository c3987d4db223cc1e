"""Collects the texts of emails, text messages and server-rendered pages in cairn/translations/messages.pot.

`make texts` runs this tool. It also checks the translations beside the template: a translated text must have the
placeholders of the English one. Texts that a translation lacks are counted, because they stay English.
"""

import re
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import read_po, write_po

ROOT = Path(__file__).parent.parent
FOLDER = ROOT / "cairn" / "translations"
TEMPLATE = FOLDER / "messages.pot"
HEADER = "# The texts of Cairn's emails, text messages and server-rendered pages. `make texts` writes this file."
_KEYWORDS = {"text": None, "plural": (1, 2)}
_PLACEHOLDER = re.compile(r"\{(\w*)\}")
_WIDTH = 120


def main() -> int:
    template = collect()
    TEMPLATE.write_bytes(render(template))
    print(f"{TEMPLATE.relative_to(ROOT)}: {len(template)} texts")
    problems: list[str] = []
    for file in sorted(FOLDER.glob("*.po")):
        translation = read_translation(file)
        missing = sum(1 for message in template if message.id and not is_translated(translation, message))
        print(f"{file.relative_to(ROOT)}: {missing} texts are not translated")
        problems += find_problems(translation, file.name)
    for problem in problems:
        print(f"error: {problem}")
    return 1 if problems else 0


def collect() -> Catalog:
    """Returns the texts in the order of their files, each with the files that contain it."""
    catalogue = Catalog(header_comment=HEADER, charset="utf-8", fuzzy=False)
    extracted = extract_from_dir(ROOT / "cairn", [("**.py", "python")], keywords=_KEYWORDS, comment_tags=())
    for file, _line, message, _comments, _context in sorted(extracted, key=lambda found: found[:2]):
        catalogue.add(message, locations=[(f"cairn/{file}", 0)])
    return catalogue


def render(catalogue: Catalog) -> bytes:
    """Returns a file without times, versions and line numbers, so that it changes only with the texts."""
    output = BytesIO()
    write_po(output, catalogue, width=_WIDTH, omit_header=True, include_lineno=False)
    header = f'{HEADER}\nmsgid ""\nmsgstr "Content-Type: text/plain; charset=utf-8\\n"\n\n'
    return header.encode() + output.getvalue()


def read_translation(file: Path) -> Catalog:
    with file.open("rb") as content:
        return read_po(content, locale=file.stem)


def is_translated(translation: Catalog, message: Message) -> bool:
    found = translation.get(message.id)
    return found is not None and bool(found.string) and not found.fuzzy


def find_problems(translation: Catalog, file_name: str) -> Iterator[str]:
    for message in translation:
        if not message.id:
            continue
        english, translated = _forms(message.id), _forms(message.string)
        # A plural may leave out the number: "one waiver" instead of "1 waiver".
        allowed = set(_PLACEHOLDER.findall(" ".join(english)))
        required = set(_PLACEHOLDER.findall(english[-1])) - {"count"}
        for text in filter(None, translated):
            used = set(_PLACEHOLDER.findall(text))
            if not required <= used <= allowed:
                yield f"{file_name}: the placeholders of {english[0]!r} differ in {text!r}"


def _forms(text: object) -> list[str]:
    """Returns the text, or the singular and the plurals of it."""
    return [text] if isinstance(text, str) else list(text) if isinstance(text, tuple | list) else []


if __name__ == "__main__":
    raise SystemExit(main())

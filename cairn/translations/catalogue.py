"""Loads the catalogue of a language, and knows the language in which texts are written now."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from gettext import NullTranslations
from io import BytesIO
from pathlib import Path

FOLDER = Path(__file__).parent
# The texts in the code are English, so this language needs no catalogue.
SOURCE_LANGUAGE = "en"
_language: ContextVar[str] = ContextVar("language", default=SOURCE_LANGUAGE)


def current_language() -> str:
    return _language.get()


@contextmanager
def in_language(language: str) -> Iterator[None]:
    """Texts that are written in this block have the language of their reader, such as `de`. The default is English."""
    token = _language.set(language)
    try:
        yield
    finally:
        _language.reset(token)


def current_catalogue() -> NullTranslations:
    """A text that the catalogue lacks stays English."""
    return _load(FOLDER, current_language())


@cache
def _load(folder: Path, language: str) -> NullTranslations:
    if language == SOURCE_LANGUAGE:
        return NullTranslations()
    # Imported here, because an English server needs neither the parser nor its memory.
    from babel.messages.mofile import write_mo  # noqa: PLC0415 - see above
    from babel.messages.pofile import read_po  # noqa: PLC0415 - see above
    from babel.support import Translations  # noqa: PLC0415 - see above

    with (folder / f"{language}.po").open("rb") as file:
        catalogue = read_po(file, locale=language)
    compiled = BytesIO()
    write_mo(compiled, catalogue)
    compiled.seek(0)
    return Translations(compiled)

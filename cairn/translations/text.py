"""Marks a text for the catalogue. It is translated when it is used, so that it can be a constant of a module."""

from html import escape

from cairn.kit import frozen_dataclass
from cairn.translations.catalogue import current_catalogue


@frozen_dataclass
class Text:
    """A text with placeholders such as `{company}`."""

    english: str

    def __str__(self) -> str:
        return current_catalogue().gettext(self.english)

    def format(self, **values: object) -> str:
        return str(self).format(**values)

    def html(self) -> str:
        return escape(str(self))


@frozen_dataclass
class Plural:
    """A text that depends on the number `{count}`."""

    one: str
    many: str

    def format(self, count: int, **values: object) -> str:
        return current_catalogue().ngettext(self.one, self.many, count).format(count=count, **values)


def text(english: str) -> Text:
    return Text(english)


def plural(one: str, many: str) -> Plural:
    """Languages with more than two forms have the others in their catalogue."""
    return Plural(one, many)

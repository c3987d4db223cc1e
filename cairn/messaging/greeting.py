"""Greets the reader of an email by their first name."""

from cairn.messaging.neutral_name import neutral_name
from cairn.messaging.without_links import without_links
from cairn.translations import text

_NAMED = text("Hi {first_name},")
_UNNAMED = text("Hi,")
_TITLES = frozenset({"dr", "mr", "mrs", "ms", "mx", "prof", "sir"})


def greeting(name: str | None) -> str:
    """Returns "Hi Noor," for "Noor Haddad", and "Hi," if there is no name."""
    found = first_name(name or "")
    return _NAMED.format(first_name=found) if found else str(_UNNAMED)


def first_name(name: str) -> str:
    """Returns the first name, or an empty string for a text that is not a name, such as an address.

    A comma means that the last name comes first, as in "Haddad, Noor".
    """
    last, comma, rest = name.partition(",")
    parts = (rest if comma and rest.strip() else last).split()
    while len(parts) > 1 and parts[0].rstrip(".").lower() in _TITLES:
        parts = parts[1:]
    found = parts[0] if parts else ""
    is_name = "@" not in found and "/" not in found and any(map(str.isalpha, found))
    # The name may be typed by a stranger, so it must be neither a message nor a link.
    return without_links(neutral_name(found, "")) if is_name else ""


def email_body(*paragraphs: str) -> str:
    return "\n\n".join(paragraphs) + "\n"

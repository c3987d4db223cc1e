"""Changes text that a stranger typed, so that mail programs do not read it as something else, such as a link."""

import re

_SCHEME = re.compile(r"\s*:\s*//+\s*")
# The full stops of other scripts separate the parts of a domain too. A dot between digits is a decimal point.
_DOT = "[.\u3002\uff0e\uff61\u2024]"
_ALPHABETIC = r"[^\W\d_]"
_DOT_IN_WORD = re.compile(rf"(?<=\w){_DOT}(?={_ALPHABETIC})|(?<={_ALPHABETIC}){_DOT}(?=\w)")
_AT = re.compile(r"(?<=\S)[@\uff20\ufe6b](?=\S)")


def without_links(text: str) -> str:
    """Returns one line in which nothing looks like an address.

    "Pay at https://evil.example" becomes "Pay at https: // evil. example". An ordinary name stays as it is, except that
    "J.R. Smith" becomes "J. R. Smith".
    """
    line = " ".join(text.split())
    return _AT.sub(" @ ", _DOT_IN_WORD.sub(". ", _SCHEME.sub(": // ", line)))


def without_encoded_text(text: str) -> str:
    """Returns the text for a header. Mail programs would decode "=?utf-8?q?pay=40evil.example?=" as an address."""
    return text.replace("=?", "= ?")

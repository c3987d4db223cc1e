"""Reads the sentences that a visitor of a page can read."""

import re
from collections.abc import Iterator

from lxml.html import HtmlElement

# The text inside these elements belongs to the sentence around them.
_INLINE_TAGS = {"a", "b", "bdi", "code", "em", "i", "kbd", "small", "span", "strong", "sub", "sup", "time"}
# Code is proved by the tests that run it. The other elements say nothing or are the controls of a form.
_SKIPPED_TAGS = {"script", "style", "template", "pre", "button", "label", "textarea", "select", "option", "nav"}
_SENTENCE_END = re.compile(r"(?:(?<=[.!?])|(?<=[.!?][”\"\u2019)]))\s+(?=[“\"(\[]?[A-Z0-9“{])")
_ABBREVIATIONS = (" v.", "Mt.", "Bros.", "U.S.C.")
_MIN_WORD_COUNT = 2
# A marker inside the collected text: what follows is part of a link, up to the next marker.
_LINK = "\x00"


def sentences_of_html(page: HtmlElement) -> list[str]:
    """Returns the description of the page and its sentences, without header, navigation and form controls."""
    description = [str(content) for content in page.xpath("//meta[@name='description']/@content")]
    for element in page.xpath("//body/descendant::header[not(ancestor::main)]"):
        element.drop_tree()
    blocks = [block for body in page.xpath("//body") for block in _visible_blocks(body)]
    return [sentence for text in [*description, *blocks] for sentence in split_sentences(text)]


def _visible_blocks(body: HtmlElement) -> Iterator[str]:
    """Yields the text of each block, except for blocks that are only a link, which lead somewhere and claim nothing."""
    for block in "".join(_pieces(body)).split("\n\n"):
        outside_links = "".join(block.split(_LINK)[::2])
        if re.search(r"\w", outside_links):
            yield block.replace(_LINK, "")


def _pieces(element: HtmlElement) -> Iterator[str]:
    """Yields the text below `element`, with an empty line around each block."""
    # React writes a comment between two texts, and an icon may stand inside a sentence.
    if not isinstance(element.tag, str) or element.tag == "svg":
        return
    if element.tag in _SKIPPED_TAGS:
        yield "\n\n"
        return
    is_inline = element.tag in _INLINE_TAGS
    edge = _LINK if element.tag == "a" else "" if is_inline else "\n\n"
    yield edge + _one_line(element.text)
    for child in element:
        yield from _pieces(child)
        # Two elements without a text between them are shown apart, for example below each other.
        yield _one_line(child.tail) or (" " if isinstance(child.tag, str) else "")
    yield edge


def _one_line(text: str | None) -> str:
    return re.sub(r"\s+", " ", text or "")


def split_sentences(text: str) -> list[str]:
    """Splits a text into sentences of at least two words, with single spaces."""
    sentences: list[str] = []
    for part in _SENTENCE_END.split(" ".join(text.split())):
        if sentences and sentences[-1].endswith(_ABBREVIATIONS):
            sentences[-1] += f" {part}"
        else:
            sentences.append(part)
    return [sentence for sentence in sentences if len(re.findall(r"\w+", sentence)) >= _MIN_WORD_COUNT]

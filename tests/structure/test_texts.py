"""Every text of an email, a text message or a server-rendered page is in the message catalogue."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog

from tests.structure.tree import read_source, relative_name, source_files
from tools.texts import TEMPLATE, collect, find_problems, render

# A module that uses one of these names writes an email, a text message, a push message or a page.
WRITERS = {
    "Email",
    "GuestText",
    "PushSender",
    "add_text_message",
    "html_page",
    "message_response",
    "page_response",
    "sandbox_page",
    "mime_message",
}
# These modules contain texts that other modules use in their emails, messages and pages.
FURTHER_FILES = {
    "cairn/auth/email_links/emails.py",
    "cairn/billing/provider/sandbox/card.py",
    "cairn/billing/provider/sandbox/page.py",
    "cairn/messaging/email_layout.py",
    "cairn/messaging/render_email.py",
    "cairn/waivers/text_invitation.py",
}
# These modules use one of the names, but write no text of ours.
OTHER_FILES = {
    # These modules store, send or export texts that other modules have written.
    "cairn/messaging/__init__.py",
    "cairn/messaging/email.py",
    "cairn/kit/__init__.py",
    # This module writes sample data, which is in English like the waivers in it.
    "cairn/demo/write_season.py",
}
MARKS = {"text", "plural"}
# The arguments of these calls are read by programs and operators: ids, keys of limits, SQL and plain error responses.
NOT_READ = {
    "uuid5", "Limit", "execute", "fetch", "fetchrow", "fetchval", "run_in_batches", "note_download",
    "PlainTextResponse",
}  # fmt: skip
# The style sheet of a page, and the headers of a response.
NAMES_WITHOUT_TEXT = re.compile("STYLE|HEADERS|headers")
HTML_TAG = re.compile(r"""<style>.*?</style>|<[^>]*>|\{\{.*?\}\}|&\w+;|\w+="[^"]*"(?: required)?""", re.DOTALL)
# The name of the product is not translated.
NOT_TEXT = re.compile(r"\{[^}]*\}|\bCairn\b")
SQL = re.compile(r"\s*(?:select|insert into|update|delete from|with)\b")
# Matches two words, or one word that begins with a capital letter.
PROSE = re.compile(r"[A-Za-z]{2,}[,:]? +[A-Za-z]{2,}|\b[A-Z][a-z]{2,}")


def writing_files() -> list[Path]:
    return [
        path
        for path in source_files("*.py")
        if relative_name(path).startswith("cairn/")
        and relative_name(path) not in OTHER_FILES
        and (relative_name(path) in FURTHER_FILES or WRITERS & called_names(path))
    ]


def called_names(path: Path) -> set[str]:
    calls = (node for node in ast.walk(ast.parse(read_source(path))) if isinstance(node, ast.Call))
    return {call.func.id for call in calls if isinstance(call.func, ast.Name)}


def bare_texts(source: str) -> Iterator[str]:
    """Yields the texts that a person would read and that are not marked for the catalogue."""
    yield from _bare_texts_in(ast.parse(source))


def _bare_texts_in(node: ast.AST) -> Iterator[str]:
    if _is_read_by_no_one(node) or _is_marked(node):
        return
    if isinstance(node, ast.JoinedStr):
        yield from _prose("".join(_literal_part(part) for part in node.values))
        children: list[ast.AST] = [part for part in node.values if isinstance(part, ast.FormattedValue)]
    else:
        # The keys of a dictionary are names.
        children = list(node.values) if isinstance(node, ast.Dict) else list(ast.iter_child_nodes(node))
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield from _prose(node.value)
    for child in children:
        yield from _bare_texts_in(child)


def _is_marked(node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and _called_name(node) in MARKS


def _is_read_by_no_one(node: ast.AST) -> bool:
    """Recognizes docstrings, names of headers and fields, style sheets, log lines, errors, and what programs read."""
    match node:
        case ast.Call():
            return _called_name(node) in NOT_READ or ast.unparse(node.func).startswith("log.")
        case ast.Assign():
            return bool(NAMES_WITHOUT_TEXT.search(ast.unparse(node.targets[0])))
        case ast.Expr():
            return isinstance(node.value, ast.Constant)
        case ast.Subscript():
            return isinstance(node.slice, ast.Constant)
    return isinstance(node, ast.Raise | ast.Assert)


def _called_name(call: ast.Call) -> str:
    return call.func.id if isinstance(call.func, ast.Name) else getattr(call.func, "attr", "")


def _literal_part(part: ast.expr) -> str:
    return str(part.value) if isinstance(part, ast.Constant) else "{}"


def _prose(text: str) -> Iterator[str]:
    visible = NOT_TEXT.sub(" ", HTML_TAG.sub(" ", text))
    if PROSE.search(visible) and not SQL.match(text):
        yield " ".join(visible.split())


@pytest.mark.accept("LANG-01")
@pytest.mark.parametrize("path", writing_files(), ids=relative_name)
def test_no_text_is_outside_the_catalogue(path: Path) -> None:
    assert list(bare_texts(read_source(path))) == []


@pytest.mark.accept("LANG-01")
def test_the_files_with_emails_messages_and_pages_are_found() -> None:
    names = {relative_name(path) for path in writing_files()}

    assert names >= FURTHER_FILES
    assert names >= {
        "cairn/auth/email_links/link_page.py",
        "cairn/billing/provider/sandbox/manage_page.py",
        "cairn/waivers/documents/document_link.py",
        "cairn/waivers/reminders/messages.py",
        "cairn/waivers/reminders/stop_page.py",
    }


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ('SUBJECT = "Please sign"', ["Please sign"]),
        ('page(f"<h1>{title}</h1><p>Nothing was charged</p>")', ["Nothing was charged"]),
        ('button = "<button>Continue</button>"', ["Continue"]),
        ('SUBJECT = text("Please sign")', []),
        ('COUNT = plural("One waiver", "{count} waivers")', []),
        ('"""Sends the email."""\nid = uuid5(x, "copy for the signer")', []),
        ('batches("select waivers.drop_plans($1)")', []),
        ('log.info("the email was sent")', []),
        ('STYLE = "<p class=\\"quiet text\\">{text}</p>"', []),
    ],
)
def test_bare_text_is_recognized(source: str, found: list[str]) -> None:
    assert list(bare_texts(source)) == found


@pytest.mark.accept("LANG-02")
def test_the_translation_template_has_all_texts_of_the_code() -> None:
    assert render(collect()).decode() == read_source(TEMPLATE), "run `make texts`"


@pytest.mark.accept("LANG-02")
def test_a_translation_with_other_placeholders_is_refused() -> None:
    translation = Catalog(locale="de")
    translation.add("Hi {name},", "Hallo {name},")
    translation.add("Please sign {template_name}", "Bitte {vorlage} unterschreiben")
    translation.add(("{count} waiver of {company}", "{count} waivers of {company}"), ("Einer von {company}", "{count}"))

    problems = list(find_problems(translation, "de.po"))

    assert problems == [
        "de.po: the placeholders of 'Please sign {template_name}' differ in 'Bitte {vorlage} unterschreiben'",
        "de.po: the placeholders of '{count} waiver of {company}' differ in '{count}'",
    ]

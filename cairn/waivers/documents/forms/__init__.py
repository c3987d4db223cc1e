"""Renders the interactive form of a session or a template, and parses a filled-in form that a guest uploads."""

from cairn.waivers.documents.forms.interactive_form import (
    FORM_SOURCE,
    interactive_form_for_session,
    interactive_form_for_template,
    interactive_form_to_attach,
)
from cairn.waivers.documents.forms.parse_filled_form import FilledForm, parse_filled_form

__all__ = [
    "FORM_SOURCE",
    "FilledForm",
    "interactive_form_for_session",
    "interactive_form_for_template",
    "interactive_form_to_attach",
    "parse_filled_form",
]

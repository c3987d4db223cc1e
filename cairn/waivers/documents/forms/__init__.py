"""Renders the interactive form of a session or a template, and parses a filled-in form that a guest uploads."""

from cairn.waivers.documents.forms.form_for_session import (
    FORM_SOURCE,
    form_for_session,
    form_for_template,
    form_to_attach,
)
from cairn.waivers.documents.forms.parse_filled_form import FilledForm, parse_filled_form

__all__ = ["FORM_SOURCE", "FilledForm", "form_for_session", "form_for_template", "form_to_attach", "parse_filled_form"]

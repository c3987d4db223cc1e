"""Receives messages to the operator: from the contact form, and requests for a demo or support.

`parse_inquiry` validates the fields of a form. `receive_inquiry` stores the inquiry and requests an email to the
operator in one transaction. `FormHandler` serves the forms of the public pages.
"""

from cairn.inquiries.errors import FormIncomplete, TooManyInquiries
from cairn.inquiries.form import Inquiry, Kind, parse_inquiry
from cairn.inquiries.form_handler import FORMS, FormHandler
from cairn.inquiries.receive import receive_inquiry
from cairn.inquiries.settings import InquirySettings
from cairn.inquiries.store import Author
from cairn.inquiries.sweep import sweep

__all__ = [
    "FORMS",
    "Author",
    "FormHandler",
    "FormIncomplete",
    "Inquiry",
    "InquirySettings",
    "Kind",
    "TooManyInquiries",
    "parse_inquiry",
    "receive_inquiry",
    "sweep",
]

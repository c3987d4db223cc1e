"""Messages to the operator: the contact form, demo requests and support requests.

`parse_inquiry` validates the fields of a form, `receive` stores the inquiry and requests an email to the operator in
one transaction, and `FormHandler` serves the forms of the public pages.
"""

from cairn.inquiries.errors import FormIncomplete, TooManyInquiries
from cairn.inquiries.form import Inquiry, Kind, parse_inquiry
from cairn.inquiries.form_handler import FORMS, FormHandler
from cairn.inquiries.receive import Author, receive
from cairn.inquiries.settings import InquirySettings
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
    "receive",
    "sweep",
]

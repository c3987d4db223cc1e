"""What people write to the operator: the contact form, requests for a demo, calls for support.

Floor 6. `read_form` turns what was typed into an `Inquiry` or says what is missing, field by field; `receive` stores it
and asks for the letter to the operator in the same transaction; `FormHandler` answers the forms of the public pages.
"""

from cairn.inquiries.errors import FormIncomplete, TooManyInquiries
from cairn.inquiries.form import Inquiry, Kind, read_form
from cairn.inquiries.form_handler import FORMS, FormHandler
from cairn.inquiries.receive import Writer, receive
from cairn.inquiries.settings import InquirySettings
from cairn.inquiries.sweep import sweep

__all__ = [
    "FORMS",
    "FormHandler",
    "FormIncomplete",
    "Inquiry",
    "InquirySettings",
    "Kind",
    "TooManyInquiries",
    "Writer",
    "read_form",
    "receive",
    "sweep",
]

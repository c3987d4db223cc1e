"""Defines the reasons for which an inquiry is refused."""

from collections.abc import Mapping

from cairn.kit import Problem


class FormIncomplete(Problem):
    status, code = 422, "form_incomplete"
    message = "Some fields need another look."

    def __init__(self, fields: Mapping[str, str]) -> None:
        """`fields` says what to correct in each field, in the order of the form."""
        first = next(iter(fields))
        super().__init__(field=first, reason=fields[first])
        self.fields = fields


class TooManyInquiries(Problem):
    status, code = 429, "too_many_inquiries"
    message = "Too many messages came from {where} within an hour. Nothing was sent; please try again later."

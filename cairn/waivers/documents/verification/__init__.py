"""Checks whether this deployment sealed a PDF, whether the PDF is unchanged, and whether its record still agrees."""

from cairn.waivers.documents.verification.check_session import SessionEvidence, check_session
from cairn.waivers.documents.verification.verdict import Verdict
from cairn.waivers.documents.verification.verify_record import look_up_document, verify_with_record
from cairn.waivers.documents.verification.verify_seal import verify

__all__ = [
    "SessionEvidence",
    "Verdict",
    "check_session",
    "look_up_document",
    "verify",
    "verify_with_record",
]

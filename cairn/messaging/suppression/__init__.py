"""Stops emails to an address if an earlier email came back, or if the recipient reported an email as spam.

A mail server rejects an address while it receives an email. Resend and SendGrid report it later, with a signed webhook
to `REPORT_PATH`. A suppression stops only emails of the same scope, for example those of one company.
"""

from cairn.messaging.suppression.report_keys import ReportProvider, check_report_key
from cairn.messaging.suppression.routes import REPORT_PATH, report_service
from cairn.messaging.suppression.scope import Scope, scope_of
from cairn.messaging.suppression.settings import ReportSettings
from cairn.messaging.suppression.store import find_suppression, suppress

__all__ = [
    "REPORT_PATH",
    "ReportProvider",
    "ReportSettings",
    "Scope",
    "check_report_key",
    "find_suppression",
    "report_service",
    "scope_of",
    "suppress",
]

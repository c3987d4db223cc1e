"""The reasons why an email failed, as the company reads them.

The product specification names four. An explanation, for example from the provider, follows in brackets.
"""

ENDPOINT_NOT_CONFIGURED = "Custom email endpoint not configured"
_NO_RESPONSE = "No response data from email service"


def failed_with_status(status: int, explanation: str | None = None) -> str:
    """`status` is the HTTP status of the provider, or the code of an SMTP reply."""
    return _with_explanation(f"Failed to send email: {status}", explanation)


def no_response(explanation: str | None = None) -> str:
    """Returns the reason if no provider has said whether it accepts the email."""
    return _with_explanation(_NO_RESPONSE, explanation)


def key_not_configured(provider: str) -> str:
    """Returns the reason. The specification names it only for SendGrid; for other providers it is the explanation."""
    reason = f"{provider} API key not configured"
    return reason if provider == "SendGrid" else no_response(reason)


def endpoint_not_usable(explanation: str) -> str:
    return _with_explanation(ENDPOINT_NOT_CONFIGURED, explanation)


def _with_explanation(reason: str, explanation: str | None) -> str:
    text = " ".join((explanation or "").split())
    return f"{reason} ({text})" if text else reason

"""Refuses settings that are only for development, if the site has a public address.

They would let strangers have paid plans for free, confirm addresses that are not theirs, or read more than they should.
"""

from collections.abc import Iterator
from urllib.parse import urlsplit

from cairn.auth import is_loopback_host
from cairn.kit import Problem
from cairn.settings import Settings


class UnsafeInProduction(Problem):
    code = "unsafe_in_production"
    message = "{reasons}"


def refuse_development_settings(settings: Settings) -> None:
    reasons = list(unsafe_settings(settings))
    if reasons:
        # The command line prints `cairn: ` before the first reason, so only the others need it here.
        raise UnsafeInProduction(reasons="\ncairn: ".join(reasons))


def unsafe_settings(settings: Settings) -> Iterator[str]:
    """Yields one line for each setting that a public server must not have, and nothing if the site is not public."""
    if not settings.auth.is_public:
        return
    site = settings.auth.site_url
    if settings.billing.stripe.secret_key is None and not settings.billing.allow_sandbox:
        yield (
            f"The payment sandbox gives paid plans away, and {site} is public. Set CAIRN_BILLING__STRIPE__SECRET_KEY, "
            "or set CAIRN_BILLING__ALLOW_SANDBOX=true for a demonstration server."
        )
    for pattern in settings.auth.uri_allow_list:
        if is_loopback_host(_host(pattern)):
            yield f"CAIRN_AUTH__URI_ALLOW_LIST contains {pattern}, but {site} is public. Remove it."
    for name, is_on in _switches(settings).items():
        if is_on:
            yield f"{name} is for development, and {site} is public. Set it to false."


def _switches(settings: Settings) -> dict[str, bool]:
    return {
        # Everyone could confirm an address without being able to read its emails.
        "CAIRN_AUTH__MAILER_AUTOCONFIRM": settings.auth.mailer_autoconfirm,
        "CAIRN_AUTH__SMS_AUTOCONFIRM": settings.auth.sms_autoconfirm,
        # A query plan reveals something about rows that the caller may not read.
        "CAIRN_REST__PLANS": settings.rest.plans,
    }


def _host(pattern: str) -> str:
    """Returns the host of a glob, whose port may be a wildcard."""
    return urlsplit(pattern).netloc.rpartition("@")[2].rpartition(":")[0] or urlsplit(pattern).netloc

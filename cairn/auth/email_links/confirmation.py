"""Decides whether a new address counts as confirmed, and whether the account can be used before that."""

from cairn.auth.settings import AuthSettings


def is_confirmed_immediately(settings: AuthSettings, email: str | None) -> bool:
    return settings.mailer_autoconfirm if email else settings.sms_autoconfirm


def is_usable_immediately(settings: AuthSettings, email: str | None) -> bool:
    return is_confirmed_immediately(settings, email) or bool(email and settings.allow_unverified_email_sign_ins)

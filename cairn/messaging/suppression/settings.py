from typing import Annotated

from pydantic import AfterValidator, BaseModel, SecretStr

from cairn.messaging.suppression.report_keys import ReportProvider, check_report_key


def _valid_key(provider: ReportProvider) -> AfterValidator:
    def check(key: SecretStr) -> SecretStr:
        check_report_key(provider, key.get_secret_value())
        return key

    return AfterValidator(check)


class ReportSettings(BaseModel, frozen=True):
    """The keys that verify the reports of the operator's mail provider about bounces and complaints."""

    # The "Signing Secret" of the webhook at Resend.
    resend_key: Annotated[SecretStr, _valid_key("resend")] | None = None
    # The "Verification Key" of the event webhook at SendGrid.
    sendgrid_key: Annotated[SecretStr, _valid_key("sendgrid")] | None = None

    def key_of(self, provider: ReportProvider) -> str | None:
        key = self.resend_key if provider == "resend" else self.sendgrid_key
        return None if key is None else key.get_secret_value()

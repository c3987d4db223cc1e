from datetime import timedelta

from pydantic import BaseModel, Field


class InquirySettings(BaseModel, frozen=True):
    # Inquiries are sent to this address.
    operator_email: str = "operator@localhost"
    # The front page shows this address for custom prices.
    sales_email: str = "sales@localhost"
    # How many inquiries are accepted per hour from one account, or from one IP network. Accounts of companies with a
    # confirmed address may send four times as many from one network.
    rate_limit: int = 5
    # This many are accepted per hour from all companies with a confirmed address together, and as many again from
    # everyone else together.
    rate_limit_total: int = 200
    # Inquiries are deleted after this time.
    retention: timedelta = Field(default=timedelta(days=730), ge=timedelta(days=1))

from pydantic import BaseModel


class InquirySettings(BaseModel, frozen=True):
    # Inquiries are sent to this address.
    operator_email: str = "operator@localhost"
    # The front page shows this address for custom prices.
    sales_email: str = "sales@localhost"
    # How many inquiries are accepted per hour: from one IP network or account, and in total.
    rate_limit: int = 5
    rate_limit_total: int = 200

from pydantic import BaseModel


class InquirySettings(BaseModel, frozen=True):
    # The recipient of inquiries, and the contact that the front page shows for custom prices.
    operator_email: str = "operator@localhost"
    sales_email: str = "sales@localhost"
    # How many inquiries are accepted per hour, from one IP network or account and in total.
    rate_limit: int = 5
    rate_limit_total: int = 200

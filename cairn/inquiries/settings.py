from pydantic import BaseModel


class InquirySettings(BaseModel, frozen=True):
    # The recipient of inquiries, and the contact that the front page shows for custom prices.
    operator_email: str = "operator@localhost"
    sales_email: str = "sales@localhost"
    # Per hour: from one network, and in total.
    rate_limit: int = 5
    rate_limit_total: int = 200

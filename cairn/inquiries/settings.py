from pydantic import BaseModel


class InquirySettings(BaseModel, frozen=True):
    # Who reads what people write, and whom the front page names for custom prices.
    operator_email: str = "operator@localhost"
    sales_email: str = "sales@localhost"
    # An hour: from one network, and from all of them together.
    rate_limit: int = 5
    rate_limit_total: int = 200

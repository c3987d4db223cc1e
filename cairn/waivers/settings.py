from datetime import timedelta

from pydantic import BaseModel, Field


class WaiverSettings(BaseModel, frozen=True):
    # How many bytes the signatures, with their documents, the sessions and the sent waivers of one company may add in a
    # day. Two gigabytes are about 22,000 signatures.
    daily_bytes_per_company: int = Field(default=2_000_000_000, ge=1)
    # Waivers that were not signed are erased this long after their link expired or they were cancelled.
    unsigned_retention: timedelta = Field(default=timedelta(days=730), ge=timedelta(days=1))

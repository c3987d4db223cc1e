from pydantic import BaseModel, Field


class WaiverSettings(BaseModel, frozen=True):
    # How many bytes the signatures, sessions and sent waivers of one company may add to the database in 24 hours.
    daily_bytes_per_company: int = Field(default=1_000_000_000, ge=1)

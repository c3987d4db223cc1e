from pydantic import BaseModel, Field


class WaiverSettings(BaseModel, frozen=True):
    # What signatures, sessions and sent waivers may add to the database in 24 hours, for each company.
    daily_bytes_per_company: int = Field(default=1_000_000_000, ge=1)

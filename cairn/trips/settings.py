from datetime import timedelta

from pydantic import BaseModel, Field


class TripSettings(BaseModel, frozen=True):
    # The contacts of bookings and the notes of trips are erased this long after the trip.
    contact_retention: timedelta = Field(default=timedelta(days=730), ge=timedelta(days=1))

from datetime import timedelta

from pydantic import BaseModel, Field


class DeletionSettings(BaseModel, frozen=True):
    # A guest can keep the account for this long after requesting its deletion.
    waiting_period: timedelta = Field(default=timedelta(days=7), ge=timedelta(0))
    # The owner of a company can keep it for this long after requesting its deletion.
    company_waiting_period: timedelta = Field(default=timedelta(days=30), ge=timedelta(0))
    # Someone who signed in longer ago than this has to sign in again before requesting the deletion.
    recent_sign_in: timedelta = Field(default=timedelta(minutes=15), ge=timedelta(minutes=1))

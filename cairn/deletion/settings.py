from datetime import timedelta

from pydantic import BaseModel, Field


class DeletionSettings(BaseModel, frozen=True):
    # For this long after requesting the deletion of the account, a guest can still decide to keep it.
    waiting_period: timedelta = Field(default=timedelta(days=7), ge=timedelta(0))
    # For this long after requesting the deletion of a company, its owner can still decide to keep it.
    company_waiting_period: timedelta = Field(default=timedelta(days=30), ge=timedelta(0))
    # Someone who signed in longer ago than this has to sign in again before requesting the deletion.
    recent_sign_in: timedelta = Field(default=timedelta(minutes=15), ge=timedelta(minutes=1))

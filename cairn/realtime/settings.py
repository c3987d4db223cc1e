"""What an operator may decide about this room."""

from datetime import timedelta

from pydantic import BaseModel, Field


class RealtimeSettings(BaseModel, frozen=True):
    max_sockets: int = Field(default=10_000, ge=1)
    channels_per_socket: int = Field(default=100, ge=1)
    # Per channel: how many changes one join may ask for.
    bindings_per_channel: int = Field(default=100, ge=1)
    max_frame_bytes: int = Field(default=1_048_576, ge=1024)
    # Of one socket; the second counts broadcasts and presence.
    joins_per_second: int = Field(default=100, ge=1)
    messages_per_second: int = Field(default=100, ge=1)
    # Of one server process, for all who broadcast by HTTP.
    http_messages_per_second: int = Field(default=1000, ge=1)
    max_presence_bytes: int = Field(default=10_240, ge=64)
    # What may wait for one reader before it counts as too slow.
    max_unsent_bytes: int = Field(default=8_388_608, ge=1024)
    # Clients send a heartbeat every 25 or 30 s.
    silence: timedelta = timedelta(seconds=60)
    # How often channels are asked whether their token still holds; deliveries are checked each time besides.
    token_check: timedelta = timedelta(seconds=30)

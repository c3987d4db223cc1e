"""The realtime settings that an operator may change."""

from datetime import timedelta

from pydantic import BaseModel, Field


class RealtimeSettings(BaseModel, frozen=True):
    max_sockets: int = Field(default=10_000, ge=1)
    # The next two limits are per server process. A socket counts for each account that joined one of its channels.
    sockets_per_account: int = Field(default=200, ge=1)
    sockets_per_network: int = Field(default=500, ge=1)
    channels_per_socket: int = Field(default=100, ge=1)
    # The number of `postgres_changes` entries that one join may contain.
    bindings_per_channel: int = Field(default=100, ge=1)
    # The number of filters with `match` or `imatch` in all channels of one socket.
    patterns_per_socket: int = Field(default=5, ge=0)
    max_frame_bytes: int = Field(default=1_048_576, ge=1024)
    # The next two limits are per socket. `messages_per_second` counts broadcasts and presence updates.
    joins_per_second: int = Field(default=100, ge=1)
    messages_per_second: int = Field(default=100, ge=1)
    # The next three limits are per server process and second. They limit the work of receiving and of sending messages,
    # in units of about 20 microseconds. A short message, and each member who receives it, costs one unit; longer
    # messages and joins cost more.
    received_units_per_network: int = Field(default=2000, ge=10)
    sent_units_per_network: int = Field(default=2000, ge=10)
    sent_units_in_public_channels: int = Field(default=20_000, ge=10)
    # This limit applies to one server process, for all HTTP clients together.
    http_messages_per_second: int = Field(default=1000, ge=1)
    max_presence_bytes: int = Field(default=10_240, ge=64)
    # The size of the joins and presence entries that open channels keep, as JSON: of one network, and of all networks
    # together. Both are per server process.
    kept_bytes_per_network: int = Field(default=4_194_304, ge=1024)
    max_kept_bytes: int = Field(default=67_108_864, ge=1024)
    # What all subscriptions of one network may cost when a row changes, per server process. One without options costs
    # one unit, one with a filter 6, and one that selects columns 21, because its payload is encoded separately.
    change_units_per_network: int = Field(default=5000, ge=10)
    # A client with more unsent bytes than this is too slow and is disconnected.
    max_unsent_bytes: int = Field(default=8_388_608, ge=1024)
    # The limit for the unsent bytes of all clients of this server process together. If it is exceeded, clients of the
    # network with the most unsent bytes are disconnected.
    max_total_unsent_bytes: int = Field(default=67_108_864, ge=1024)
    # A socket that sends nothing for this long is closed. Clients send a heartbeat every 25 or 30 s.
    silence: timedelta = timedelta(seconds=60)
    # The tokens of all channels are checked this often. They are also checked before each delivery.
    token_check: timedelta = timedelta(seconds=30)

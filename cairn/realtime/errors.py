"""All errors of `/realtime/v1`. Clients compare the texts, so the texts are part of the protocol.

The response to a handshake or an HTTP request contains only the text; the reply to a join contains `code: text`.
"""

from collections.abc import Mapping

from cairn.auth import BadToken
from cairn.kit import Problem


class BadFrame(Problem):
    status, code = 400, "BadFrame"
    message = "This frame cannot be read: {reason}"


class FrameTooLarge(Problem):
    status, code = 413, "FrameTooLarge"
    message = "This frame is too large"


class ServerStopping(Problem):
    status, code = 503, "ServerStopping"
    message = "This server is about to stop. Please connect again"


# Authentication


class ApiKeyMissing(Problem):
    status, code = 401, "ApiKeyMissing"
    message = "API key is missing"


class TokenExpired(Problem):
    status, code = 401, "InvalidJWTToken"
    message = "Token has expired"


class TokenMalformed(Problem):
    status, code = 401, "MalformedJWT"
    message = "The token provided is not a valid JWT"


class TokenForged(Problem):
    status, code = 401, "JwtSignatureError"
    message = "Failed to validate JWT signature"


class TokenUnacceptable(Problem):
    status, code = 401, "InvalidJWTToken"
    message = "{reason}"


class SignedOut(Problem):
    status, code = 401, "InvalidJWTToken"
    message = "The session of this token has ended"


def token_error(token_problem: Problem) -> Problem:
    """Translates an error of `auth` into the error that realtime clients know."""
    if not isinstance(token_problem, BadToken):
        return token_problem
    if token_problem.reason == "JWT expired":
        return TokenExpired()
    if token_problem.reason.startswith("Expected 3 parts"):
        return TokenMalformed()
    if type(token_problem) is BadToken:
        return TokenForged()
    return TokenUnacceptable(reason=token_problem.reason)


# Requests


class UnsupportedVersion(Problem):
    status, code = 400, "VersionUnknown"
    message = "The protocol versions served are 1.0.0 and 2.0.0"


class TooManySockets(Problem):
    status, code = 429, "ConnectionRateLimitReached"
    message = "Too many connected users"


class TooManySocketsOfNetwork(TooManySockets):
    message = "Too many connected users on this network"


class TooManySocketsOfAccount(TooManySockets):
    message = "Too many connections of this account"


class TooManyTokensOfAccount(TooManySockets):
    message = "The channels of this account use too many different tokens"


class TooManyChannels(Problem):
    status, code = 429, "ChannelRateLimitReached"
    message = "Too many channels"


class ChannelsTooLarge(TooManyChannels):
    message = (
        "The channels of this network need too much memory. "
        "Leave some of them, or use fewer filters and shorter presence entries."
    )


class TooManyChangeSubscriptions(TooManyChannels):
    message = (
        "This network has too many subscriptions to changes. "
        "Leave some channels, or use fewer filters and column selections."
    )


class TooManyJoins(Problem):
    status, code = 429, "ClientJoinRateLimitReached"
    message = "Too many joins per second"


class TooManyMessages(Problem):
    status, code = 429, "MessageRateLimitReached"
    message = "Too many messages per second"


class TooManyDeliveries(TooManyMessages):
    message = "Too many messages per second from this network. Send fewer or shorter messages, or wait ten seconds."


class TooManyPrivateTopics(Problem):
    status, code = 400, "TooManyPrivateTopics"
    message = "A request can send to at most {limit} private topics. Please send the other messages in another request."


class TopicTooLong(Problem):
    status, code = 400, "TopicTooLong"
    message = "A topic has at most {limit} characters. Choose a shorter name for this channel."


class TopicNameRequired(Problem):
    status, code = 400, "TopicNameRequired"
    message = "You must provide a topic name"


class InvalidJoin(Problem):
    status, code = 400, "InvalidJoinPayload"
    message = "The config of this join cannot be read: {reason}"


class NotPermitted(Problem):
    status, code = 403, "Unauthorized"
    message = "You do not have permissions to read from this Channel topic: {topic}"


class ReplayNotAllowed(Problem):
    status, code = 400, "UnableToReplayMessages"
    message = "Replay is not allowed for public channels"


class PresenceNotAMap(Problem):
    status, code = 400, "PresenceNotAMap"
    message = "Presence track payload must be a map"


class PresenceTooLarge(Problem):
    status, code = 413, "PresenceTooLarge"
    message = "Presence track payload is too large"


class ChannelPresenceTooLarge(PresenceTooLarge):
    message = "The presence entries of this channel are too large together. Use shorter entries."


class NotPermittedToTrack(Problem):
    status, code = 403, "Unauthorized"
    message = "You do not have permissions to write presence to this Channel topic: {topic}"


class InvalidFilter(Problem):
    status, code = 400, "FilterUnreadable"
    message = "Error parsing `filter` params: [{filter}] {reason}"


class PatternsNeedAccount(Problem):
    status, code = 403, "FilterNotAllowed"
    message = "Filters with match and imatch are only for subscribers who are signed in. Use eq, in or like instead."


class TooManyPatterns(Problem):
    status, code = 429, "FilterNotAllowed"
    message = "At most {limit} filters with match or imatch are open on one socket. Use eq, in or like instead."


class FilterTooSlow(Problem):
    status, code = 408, "FilterTooSlow"
    message = "The filters of this channel took too long. Subscribe again with a simpler filter."


class NothingPublished(Problem):
    status, code = 400, "RealtimeDisabledForConfiguration"
    message = (
        "Unable to subscribe to changes with given parameters. "
        "Please check Realtime is enabled for the given connect parameters: [{binding}]"
    )


class TableNotReadable(Problem):
    status, code = 403, "NothingReadable"
    message = "The role {role} may not select from {table}, so no change of it will arrive"


class InvalidBroadcast(Problem):
    status, code = 422, "BroadcastUnreadable"
    message = "This broadcast cannot be read"

    def __init__(self, errors: Mapping[str, list[str]]) -> None:
        super().__init__()
        self.errors = dict(errors)

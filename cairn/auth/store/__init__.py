"""The only SQL of this room: people, their sessions, and the log of what they did."""

from cairn.auth.store.audit import note
from cairn.auth.store.people import add_person, change_person, person_by_email, person_by_id, signed_in
from cairn.auth.store.sessions import (
    add_session,
    add_token,
    chain_of,
    end_all_sessions,
    end_other_sessions,
    end_session,
    locked_session_of,
    revoke_token,
    session_by_id,
)

__all__ = [
    "add_person",
    "add_session",
    "add_token",
    "chain_of",
    "change_person",
    "end_all_sessions",
    "end_other_sessions",
    "end_session",
    "locked_session_of",
    "note",
    "person_by_email",
    "person_by_id",
    "revoke_token",
    "session_by_id",
    "signed_in",
]

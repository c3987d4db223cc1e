"""The only SQL of this room: people, their sessions, what was sent to them, and the log of what they did."""

from cairn.auth.store.addresses import (
    ask_for_email,
    ask_for_phone,
    confirm_email,
    confirm_phone,
    email_change_confirmed,
    move_to_email,
    move_to_phone,
    note_sent,
)
from cairn.auth.store.administration import change_as_admin, company_exists, delete_person, forget_person
from cairn.auth.store.audit import note
from cairn.auth.store.flows import add_flow, drop_flow, issue_code, take_flow
from cairn.auth.store.limits import give_back, take
from cairn.auth.store.one_time import drop_one_time_token, one_time_token, put_one_time_token
from cairn.auth.store.people import (
    add_person,
    change_person,
    people,
    people_changing_to,
    person_by_email,
    person_by_id,
    person_by_phone,
    signed_in,
)
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
from cairn.auth.store.sweeping import sweep

__all__ = [
    "add_flow",
    "add_person",
    "add_session",
    "add_token",
    "ask_for_email",
    "ask_for_phone",
    "chain_of",
    "change_as_admin",
    "change_person",
    "company_exists",
    "confirm_email",
    "confirm_phone",
    "delete_person",
    "drop_flow",
    "drop_one_time_token",
    "email_change_confirmed",
    "end_all_sessions",
    "end_other_sessions",
    "end_session",
    "forget_person",
    "give_back",
    "issue_code",
    "locked_session_of",
    "move_to_email",
    "move_to_phone",
    "note",
    "note_sent",
    "one_time_token",
    "people",
    "people_changing_to",
    "person_by_email",
    "person_by_id",
    "person_by_phone",
    "put_one_time_token",
    "revoke_token",
    "session_by_id",
    "signed_in",
    "sweep",
    "take",
    "take_flow",
]

from cairn.db import delete_old_rows

DELETE_PASSWORD_TRIES = delete_old_rows("auth.password_tries", "last_try_at")
# These statements delete links, flows and challenges.
DELETE_EXPIRED = [delete_old_rows(f"auth.{table}") for table in ("one_time_tokens", "flow_state", "mfa_challenges")]

# Deletes up to $1 sessions that were not refreshed for $2, with their tokens, and returns how many these were.
DELETE_IDLE_SESSIONS = """
with idle as (
    select id from auth.sessions
     where coalesce(refreshed_at, created_at) < now() - $2::interval
     limit $1 for update skip locked),
deleted as (
    delete from auth.sessions s using idle where s.id = idle.id returning s.id)
select count(*) from deleted
"""

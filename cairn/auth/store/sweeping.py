from cairn.db import delete_old_rows

DELETE_PASSWORD_TRIES = delete_old_rows("auth.password_tries", "last_try_at")
# These statements delete links, flows and challenges.
DELETE_EXPIRED = [
    delete_old_rows("auth.one_time_tokens"),
    delete_old_rows("auth.flow_state"),
    delete_old_rows("auth.mfa_challenges"),
]

# Deletes up to $1 tokens that were replaced longer ago than $2, and returns how many these were. A session that is used
# every hour would otherwise keep thousands of them. If someone uses a replaced token, its session ends. Once the token
# is deleted, using it is only refused.
DELETE_REPLACED_TOKENS = """
with replaced as (
    select id from auth.refresh_tokens
     where created_at < now() - $2::interval and revoked_at < now() - $2::interval
     limit $1 for update skip locked),
deleted as (
    delete from auth.refresh_tokens t using replaced where t.id = replaced.id returning t.id)
select count(*) from deleted
"""

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

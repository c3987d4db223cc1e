-- The limit for wrong codes of second factors counts from the last wrong code, because a challenge can be old by then.
alter table auth.mfa_challenges add column last_failure_at timestamptz;

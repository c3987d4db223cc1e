-- The limit for wrong codes of second factors looks up from where the user has entered correct ones.
create index audit_log_verified_factors_idx on auth.audit_log (user_id, created_at) where act = 'factor_verified';

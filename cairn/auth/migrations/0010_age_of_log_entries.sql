-- Old entries are found by their age. Entries are added in the order of their age, so this index is tiny and costs little.
create index audit_log_age_idx on auth.audit_log using brin (created_at);

-- The details of an event can be erased without breaking the history. Since version 2, the hash of an event covers a hash of
-- its details instead of the details themselves. The salt keeps anyone from guessing erased details by trying names.
alter table waivers.audit_events
    add column version        int not null default 1,
    add column salt           bytea,
    -- Only of erased events. Events of version 1 have no hash of their details, so after erasure only their own hash is left.
    add column details_sha256 bytea,
    add column is_erased      boolean not null default false,
    add constraint events_have_a_salt check (version = 1 or is_erased or salt is not null),
    add constraint erased_events_have_no_salt check (not is_erased or (salt is null and (version = 1 or details_sha256 is not null)));

-- A signed waiver can be held, so that it cannot be erased, or erased. What is left of an erased waiver are its ids, times and
-- hashes.
alter table waivers.signed
    add column held_since timestamptz,
    add column erased_at  timestamptz,
    add constraint held_waivers_are_not_erased check (held_since is null or erased_at is null);

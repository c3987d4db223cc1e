-- A session that is not signed yet can be cancelled, and another session can replace it. A signed waiver can be revoked; the
-- record itself stays as it is.
alter table waivers.sessions drop constraint sessions_status_check;
alter table waivers.sessions
    add constraint sessions_status_check check (status in ('pending', 'signed', 'template_default', 'cancelled')),
    add column cancelled_at timestamptz,
    -- Deferred, because the old session refers to the new one before the new one is inserted.
    add column replaced_by uuid references waivers.sessions deferrable initially deferred,
    add constraint cancelled_sessions_have_a_time check ((status = 'cancelled') = (cancelled_at is not null));

alter table waivers.signed
    add column revoked_at timestamptz,
    add column revoke_reason text check (length(revoke_reason) <= 500),
    add column superseded_by uuid references waivers.signed,
    add constraint revocations_are_whole
        check ((revoked_at is null) = (revoke_reason is null) and (superseded_by is null or revoked_at is not null));

-- The directory lists cancelled sessions with the same columns as pending ones.
create index sessions_cancelled_idx on waivers.sessions (company_id, created_at desc) include (id)
    where status = 'cancelled';
create index sessions_cancelled_by_name_idx on waivers.sessions
    (company_id, (waivers.name_key(coalesce(recipient_name, 'Anonymous')) collate "C"), id) where status = 'cancelled';
create index sessions_cancelled_search_idx on waivers.sessions using gin
    (waivers.search_keys(company_id, waivers.search_text(recipient_name, recipient_email, template_name)))
    where status = 'cancelled';
create index signed_revoked_idx on waivers.signed (company_id, signed_at desc) where revoked_at is not null;
create index sessions_replaced_by_idx on waivers.sessions (replaced_by) where replaced_by is not null;

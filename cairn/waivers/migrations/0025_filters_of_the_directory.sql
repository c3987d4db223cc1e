-- The directory is filtered by flags and answers. The keys are stored, because an answer can contain a photo, and reading
-- photos to compare an answer would be slow.
-- define function waivers.flag_key
-- define function waivers.answer_key
-- define function waivers.filter_keys
alter table waivers.participants
    add column filter_keys bigint[] generated always as (waivers.filter_keys(company_id, flags, answers)) stored;
alter table waivers.sensitive_answers
    add column filter_keys bigint[] generated always as (waivers.filter_keys(company_id, flags, answers)) stored;
create index participants_filter_idx on waivers.participants using gin (filter_keys);
create index sensitive_answers_filter_idx on waivers.sensitive_answers using gin (filter_keys);

-- The directory is also filtered by template, in both orders. Without an index for each order, the list of a template whose waivers are
-- all signed would read every pending session. These four indexes are filled from all waivers and sessions, and no one can sign or send
-- a waiver meanwhile.
create index signed_template_idx on waivers.signed (company_id, template_id, signed_at desc);
create index signed_template_by_name_idx on waivers.signed
    (company_id, template_id, (waivers.name_key(signer_name) collate "C"), id);
create index sessions_template_idx on waivers.sessions (company_id, template_id, created_at desc)
    where status in ('pending', 'cancelled');
create index sessions_template_by_name_idx on waivers.sessions
    (company_id, template_id, (waivers.name_key(coalesce(recipient_name, 'Anonymous')) collate "C"), id)
    where status in ('pending', 'cancelled');

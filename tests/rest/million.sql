-- Adds a million sessions, half of them signed. Nine in ten belong to company 0, and the others to a hundred companies.
-- The rows are loaded once for all tests. Triggers are disabled meanwhile, as when a dump is restored.
insert into public.companies (id, name)
select ('00000000-0000-4000-8000-' || lpad(n::text, 12, '0'))::uuid, 'Company ' || n from generate_series(0, 100) n;

insert into auth.users (id, email, app_metadata)
select ('00000000-0000-4000-9000-' || lpad(n::text, 12, '0'))::uuid, 'owner' || n || '@example.com',
       jsonb_build_object('role', 'company', 'company_id', '00000000-0000-4000-8000-' || lpad(n::text, 12, '0'))
  from generate_series(0, 100) n;

insert into public.waiver_templates (id, company_id, name)
select 'tpl-' || n, ('00000000-0000-4000-8000-' || lpad((n % 101)::text, 12, '0'))::uuid, 'Template ' || n
  from generate_series(1, 20000) n;

set session_replication_role = replica;
set maintenance_work_mem = '256MB';
-- Creating an index on a filled table is several times as fast as adding a million entries one by one.
create temporary table dropped_indexes as
select i.indexrelid::regclass::text as name, pg_get_indexdef(i.indexrelid) as definition
  from pg_index i
 where i.indrelid in ('waivers.sessions'::regclass, 'waivers.signed'::regclass)
   and not i.indisunique;
do $$ begin
    execute (select 'drop index ' || string_agg(name, ', ') from dropped_indexes);
end $$;

create temporary table guests as
select n, md5('session' || n)::uuid as session_id, md5('waiver' || n)::uuid as waiver_id,
       ('00000000-0000-4000-8000-' || lpad((case when n % 10 > 0 then 0 else 1 + n / 10 % 100 end)::text, 12, '0'))::uuid as company_id,
       (array['Anna', 'Ben', 'Carla', 'David', 'Elif', 'Farid', 'Greta', 'Hiro', 'Ines', 'Jonas', 'Kaya'])[1 + n % 11]
           || ' ' || to_hex(n) as name,
       timestamptz '2026-01-01' - n * interval '20 seconds' as at
  from generate_series(1, 1000000) n;

insert into waivers.sessions
       (id, company_id, template_id, template_name, template_content, recipient_name, recipient_email,
        status, created_at, expires_at, first_waiver_id)
select session_id, company_id, 'tpl-' || n % 50, 'River trip', 'I take part.', name, n || '@x.org',
       case when n % 2 = 0 then 'signed' else 'pending' end, at, at + interval '30 days',
       case when n % 2 = 0 then waiver_id end
  from guests;
insert into waivers.sessions (id, company_id, template_id, template_name, template_content, status, created_at)
select md5('default' || n)::uuid, '00000000-0000-4000-8000-000000000000', 'tpl-' || n, 'River trip', 'I take part.', 'template_default', '2025-06-01'
  from generate_series(1, 50) n;
insert into waivers.signed
       (id, session_id, company_id, template_id, template_name, signer_name, signer_email, signature, content,
        signed_at, record_sha256)
select waiver_id, session_id, company_id, 'tpl-' || n % 50, 'River trip', name, n || '@x.org', 'data:,', 'I take part.',
       at + interval '1 hour', '\x00'
  from guests where n % 2 = 0;
insert into public.sent_waivers
       (company_id, session_id, template_id, template_name, template_content, recipient_name, recipient_email, sent_at)
select company_id, session_id, 'tpl-' || n % 50, 'River trip', 'I take part.', name, n || '@x.org', at
  from guests where n <= 100000;
-- One of ten waivers has a form: an adult signs for a child. One child in twenty cannot swim, and one in a thousand has asthma.
update waivers.signed w set record_version = 4 from guests g where w.id = g.waiver_id and g.n % 20 = 2;
insert into waivers.participants (id, waiver_id, company_id, number, takes_part, name, kind, answers, flags)
select md5('person' || n || number)::uuid, waiver_id, company_id, number, true, name, case number when 0 then 'adult' else 'minor' end,
       jsonb_build_object('swims', number = 0 or n % 400 <> 2, 'town', 'Town ' || n % 1000),
       case when number = 1 and n % 400 = 2 then '[{"question": "swims", "text": "Cannot swim"}]'::jsonb else '[]' end
  from guests, generate_series(0, 1) as number where n % 20 = 2;
insert into waivers.sensitive_answers (participant_id, company_id, answers, flags, salt)
select md5('person' || n || 1)::uuid, company_id, jsonb_build_object('asthma', n % 20000 = 2),
       case when n % 20000 = 2 then '[{"question": "asthma", "text": "Asthma"}]'::jsonb else '[]' end, '\x00'
  from guests where n % 20 = 2;
drop table guests;

do $$ begin
    execute (select string_agg(definition, ';') from dropped_indexes);
end $$;
drop table dropped_indexes;

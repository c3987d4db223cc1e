-- Adds the rows of many companies, each with 1,000 sessions: 600 are signed, 300 wait and 100 were cancelled. All large tables
-- together have 9.3 rows for each session. Each section can run in its own connection. The caller replaces COMPANIES.

-- section: companies
insert into public.companies (id, name)
select ('00000000-0000-4000-8000-' || lpad(n::text, 12, '0'))::uuid, 'Company ' || n from generate_series(1, COMPANIES) n;
insert into public.waiver_templates (id, company_id, name)
select 'tpl-' || n, ('00000000-0000-4000-8000-' || lpad(n::text, 12, '0'))::uuid, 'River trip' from generate_series(1, COMPANIES) n;

-- section: sessions
insert into waivers.sessions
       (id, company_id, template_id, template_name, template_content, recipient_name, recipient_email, status, created_at,
        expires_at, first_waiver_id, cancelled_at)
select md5('session' || n)::uuid, ('00000000-0000-4000-8000-' || lpad((1 + n % COMPANIES)::text, 12, '0'))::uuid,
       'tpl-' || 1 + n % COMPANIES, 'River trip', 'I take part.',
       (array['Anna', 'Ben', 'Carla', 'David', 'Elif', 'Farid', 'Greta', 'Hiro', 'Ines', 'Jonas', 'Kaya'])[1 + n % 11] || ' ' || to_hex(n),
       n || '@x.example',
       case when n / COMPANIES % 10 < 6 then 'signed' when n / COMPANIES % 10 < 9 then 'pending' else 'cancelled' end,
       now() - n * interval '300 days' / (COMPANIES * 1000), now() - n * interval '300 days' / (COMPANIES * 1000) + interval '30 days',
       case when n / COMPANIES % 10 < 6 then md5('waiver' || n)::uuid end,
       case when n / COMPANIES % 10 = 9 then now() - n * interval '300 days' / (COMPANIES * 1000) + interval '1 hour' end
  from generate_series(1, COMPANIES * 1000) n;

-- section: signed
insert into waivers.signed
       (id, session_id, company_id, template_id, template_name, signer_name, signer_email, signature, content, signed_at,
        record_sha256, document_path, document_sha256, document_at)
select md5('waiver' || n)::uuid, md5('session' || n)::uuid,
       ('00000000-0000-4000-8000-' || lpad((1 + n % COMPANIES)::text, 12, '0'))::uuid, 'tpl-' || 1 + n % COMPANIES, 'River trip',
       (array['Anna', 'Ben', 'Carla', 'David', 'Elif', 'Farid', 'Greta', 'Hiro', 'Ines', 'Jonas', 'Kaya'])[1 + n % 11] || ' ' || to_hex(n),
       n || '@x.example', 'data:,', 'I take part.', now() - n * interval '300 days' / (COMPANIES * 1000) + interval '1 hour', '\x00',
       '00000000-0000-4000-8000-' || lpad((1 + n % COMPANIES)::text, 12, '0') || '/' || md5('waiver' || n)::uuid || '.pdf',
       repeat('0', 64), now() - n * interval '300 days' / (COMPANIES * 1000) + interval '1 hour'
  from generate_series(1, COMPANIES * 1000) n where n / COMPANIES % 10 < 6;

-- section: audit events
insert into waivers.audit_events (session_id, company_id, name, details, at, hash, version, salt)
select md5('session' || n)::uuid, ('00000000-0000-4000-8000-' || lpad((1 + n % COMPANIES)::text, 12, '0'))::uuid,
       (array['session.created', 'session.viewed', 'waiver.signed'])[step], '{"ip": "203.0.113.7"}',
       now() - n * interval '300 days' / (COMPANIES * 1000) + step * interval '20 minutes', sha256((n || '/' || step)::bytea), 2, '\x00'
  from generate_series(COMPANIES * 1000, 1, -1) n, generate_series(1, 3) step
 where step < 3 or n / COMPANIES % 10 < 6;

-- section: heads
insert into waivers.chain_heads
       (company_id, number, at, session_count, waiver_count, event_count, entry_count, root, hash, signature, certificate,
        wants_timestamp)
select ('00000000-0000-4000-8000-' || lpad(n::text, 12, '0'))::uuid, number, now() - interval '1 hour', 100, 60, 260, 100, '\x00',
       sha256((n || '/' || number)::bytea), '\x00', '', false
  from generate_series(1, 10) number, generate_series(1, COMPANIES) n;
insert into waivers.head_entries (head_id, position, session_id, event_count, last_hash)
select 1 + n / 100, n % 100, md5('session' || n)::uuid, case when n / COMPANIES % 10 < 6 then 3 else 2 end,
       sha256((n || '/' || case when n / COMPANIES % 10 < 6 then 3 else 2 end)::bytea)
  from generate_series(1, COMPANIES * 1000) n;

-- section: emails
insert into public.emails (company_id, session_id, recipient, subject, body, status, created_at, sent_at, kind)
select ('00000000-0000-4000-8000-' || lpad((1 + n % COMPANIES)::text, 12, '0'))::uuid, md5('session' || n)::uuid, n || '@x.example',
       'Please sign: River trip', 'Follow the link.', 'delivered', now() - n * interval '300 days' / (COMPANIES * 1000),
       now() - n * interval '300 days' / (COMPANIES * 1000), 'message'
  from generate_series(1, COMPANIES * 1000) n;

-- section: sendings
insert into public.sent_waivers
       (company_id, session_id, template_id, template_name, template_content, recipient_name, recipient_email, email_status, sent_at)
select ('00000000-0000-4000-8000-' || lpad((1 + n % COMPANIES)::text, 12, '0'))::uuid, md5('session' || n)::uuid,
       'tpl-' || 1 + n % COMPANIES, 'River trip', 'I take part.', 'Anna ' || to_hex(n), n || '@x.example', 'delivered',
       now() - n * interval '300 days' / (COMPANIES * 1000)
  from generate_series(1, COMPANIES * 1000) n where n / COMPANIES % 10 < 9;

-- section: notifications
insert into public.notifications (company_id, title, message, about, created_at)
select ('00000000-0000-4000-8000-' || lpad((1 + n % COMPANIES)::text, 12, '0'))::uuid, 'Waiver signed', 'Anna signed.',
       md5('waiver' || n)::uuid, now() - n * interval '300 days' / (COMPANIES * 1000)
  from generate_series(1, COMPANIES * 1000) n where n / COMPANIES % 10 < 6;

-- section: files
insert into storage.blobs (version, sealed, started_at)
select md5('blob' || n)::uuid, true, now() - n * interval '300 days' / (COMPANIES * 1000)
  from generate_series(1, COMPANIES * 1000) n where n / COMPANIES % 10 < 6;
insert into storage.objects (bucket_id, name, version, metadata, created_at)
select 'signed-waivers', '00000000-0000-4000-8000-' || lpad((1 + n % COMPANIES)::text, 12, '0') || '/' || md5('waiver' || n)::uuid || '.pdf',
       md5('blob' || n)::uuid, '{"size": 40000}', now() - n * interval '300 days' / (COMPANIES * 1000)
  from generate_series(1, COMPANIES * 1000) n where n / COMPANIES % 10 < 6;

-- section: jobs
insert into jobs.events (xid, name, payload, at)
select '3', 'waiver.signed', jsonb_build_object('waiver_id', md5('waiver' || n)::uuid), now() - n * interval '1 day' / (COMPANIES * 400)
  from generate_series(1, COMPANIES * 400) n;

-- section: positions
insert into waivers.head_position (id, next_id, next_xid)
select max(id), max(id), '0' from waivers.audit_events;
update jobs.readers set (xid, id) = (select xid, max(id) from jobs.events group by xid order by xid desc limit 1);

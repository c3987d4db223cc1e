-- Other packages read signed waivers only through these views and functions.
create or replace view waivers.signed_summary with (security_invoker = true) as
    select id as waiver_id, session_id, company_id, template_id, template_name, template_version,
           signer_name, signer_email, signed_at, encode(record_sha256, 'hex') as record_sha256,
           erased_at is not null as is_erased
      from waivers.signed;
grant select on waivers.signed_summary to service_role;

-- What other packages read about the people of a signed waiver with a form: the signer's answers, the guardian, the participants,
-- and the flags of all of them. Returns null for a waiver without a form. Photos and drawn initials are left out, and answers to
-- sensitive questions with their flags unless `with_sensitive` is true.
create or replace function waivers.form_payload(waiver uuid, with_sensitive boolean) returns jsonb
    language sql stable set search_path = ''
    begin atomic
        select jsonb_build_object(
                   'answers', coalesce(jsonb_agg(p.answers) filter (where p.number = 0) -> 0, '{}'),
                   'guardian', w.guardian,
                   'participants', coalesce(jsonb_agg(jsonb_build_object(
                       'id', p.id, 'name', p.name, 'birth_date', p.birth_date, 'kind', p.kind, 'answers', p.answers, 'flags', p.flags)
                       order by p.number) filter (where p.takes_part), '[]'),
                   'flags', coalesce(jsonb_path_query_array(jsonb_agg(waivers.flags_with_name(p.flags, p.name) order by p.number),
                                                            '$[*][*]'), '[]'))
          from waivers.signed w
          join waivers.people(waiver, with_sensitive) p on true
         where w.id = waiver and w.record_version >= 4
         group by w.id;
    end;
grant execute on function waivers.form_payload to service_role;

-- The signer and the minors of a waiver with a form, without pictures.
create or replace function waivers.people(waiver uuid, with_sensitive boolean)
    returns table (id uuid, number int, takes_part boolean, name text, birth_date date, kind text, answers jsonb, flags jsonb)
    language sql stable set search_path = ''
    begin atomic
        select p.id, p.number, p.takes_part, p.name, p.birth_date, p.kind,
               waivers.without_pictures(session.form, p.answers || coalesce(s.answers, '{}')), p.flags || coalesce(s.flags, '[]')
          from waivers.participants p
          join waivers.signed w on w.id = p.waiver_id
          join waivers.sessions session on session.id = w.session_id
          left join waivers.sensitive_answers s on s.participant_id = p.id and with_sensitive
         where p.waiver_id = waiver;
    end;
grant execute on function waivers.people to authenticated, service_role;

-- Removes photos and drawn initials from the answers. The kind of the question decides, because a guest may type a text that begins
-- like a picture. Initials are typed or drawn.
create or replace function waivers.without_pictures(form jsonb, answers jsonb) returns jsonb
    language sql immutable
    return answers - array(select q ->> 'key' from jsonb_array_elements(form -> 'questions') q
                            where q ->> 'kind' = 'photo'
                               or q ->> 'kind' = 'initials' and starts_with(answers ->> (q ->> 'key'), 'data:image/'));
grant execute on function waivers.without_pictures to authenticated, service_role;

create or replace function waivers.flags_with_name(flags jsonb, name text) returns jsonb
    language sql immutable
    return (select coalesce(jsonb_agg(f || jsonb_build_object('name', name) order by position), '[]')
              from jsonb_array_elements(flags) with ordinality as all_flags (f, position));
grant execute on function waivers.flags_with_name to service_role;

-- True if a template of the company has a form.
create or replace function waivers.has_forms(company uuid) returns boolean
    language sql stable set search_path = ''
    return exists (select from public.waiver_templates t where t.company_id = company and t.form is not null);
grant execute on function waivers.has_forms to service_role;

-- True if all templates exist, are different, and belong to the company or are samples. Lists inside the list count with all their entries.
create or replace function waivers.are_templates_of(company uuid, template_ids text[]) returns boolean
    language sql stable set search_path = ''
    return (select count(*) from public.waiver_templates t
             where t.id = any (template_ids) and (t.company_id = company or t.company_id is null))
           = cardinality(template_ids);

-- Returns the people of the signed waivers of these sessions, except revoked and erased waivers. `person` is equal for the same person
-- in several waivers: an adult is recognized by name and email address, and a minor by name and birth date. The flags are those of the
-- view `participants`, which cannot be used here, because PostgreSQL would read all participants of the company.
create or replace function waivers.people_of_sessions(sessions uuid[])
    returns table (participant_id uuid, waiver_id uuid, template_id text, signed_at timestamptz, name text, birth_date date, kind text,
                   person text, flags jsonb)
    language sql stable set search_path = ''
    begin atomic
        select p.id, w.id, w.template_id, w.signed_at, p.name, p.birth_date, p.kind,
               waivers.name_key(p.name) || ' ' || case p.kind when 'minor' then p.birth_date::text else lower(w.signer_email) end,
               coalesce(guardian.flags, '[]') || coalesce(guardian_s.flags, '[]') || p.flags || coalesce(s.flags, '[]')
          from waivers.signed w
          join waivers.participants p on p.waiver_id = w.id and p.takes_part
          left join waivers.sensitive_answers s on s.participant_id = p.id
          left join waivers.participants guardian on guardian.waiver_id = w.id and guardian.number = 0 and not guardian.takes_part
          left join waivers.sensitive_answers guardian_s on guardian_s.participant_id = guardian.id
         where w.session_id = any (sessions) and w.revoked_at is null and w.erased_at is null
        union all
        select w.id, w.id, w.template_id, w.signed_at, w.signer_name, null, 'adult',
               waivers.name_key(w.signer_name) || ' ' || lower(w.signer_email), '[]'
          from waivers.signed w
         where w.session_id = any (sessions) and w.revoked_at is null and w.erased_at is null and w.record_version < 4;
    end;
grant execute on function waivers.people_of_sessions to authenticated, service_role;

-- Returns the ids of the participants of these waivers. A waiver without a form has one participant, with its own id.
create or replace function waivers.participant_ids(waivers uuid[]) returns uuid[]
    language sql stable set search_path = ''
    return array(select p.id from waivers.participants p where p.waiver_id = any (participant_ids.waivers)) || participant_ids.waivers;

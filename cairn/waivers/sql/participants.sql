-- The people of a signed waiver: its signer, and the minors for whom a guardian signs.

-- A waiver without a form has one participant, its signer. A guardian who does not take part is no participant, but staff should see
-- the flags of the guardian before the activity ("no photos"), so each minor has these flags too.
create or replace view public.participants with (security_invoker = true) as
    select p.id, p.waiver_id, p.company_id, p.number, p.name, p.birth_date, p.kind,
           p.answers || coalesce(s.answers, '{}') as answers,
           coalesce(guardian.flags, '[]') || coalesce(guardian_s.flags, '[]') || p.flags || coalesce(s.flags, '[]') as flags
      from waivers.participants p
      left join waivers.sensitive_answers s on s.participant_id = p.id
      left join waivers.participants guardian
             on guardian.waiver_id = p.waiver_id and guardian.number = 0 and not guardian.takes_part
      left join waivers.sensitive_answers guardian_s on guardian_s.participant_id = guardian.id
     where p.takes_part
    union all
    select w.id, w.id, w.company_id, 0, w.signer_name, null, 'adult', '{}', '[]'
      from waivers.signed w
     where w.record_version < 4;
grant select on public.participants to authenticated, service_role;

-- No role may write to the view. Without this trigger, PostgreSQL would not report the missing permission, but that the view cannot
-- be written.
create or replace trigger refuse_write instead of insert or update or delete on public.participants
    for each row execute function waivers.refuse_row('waiver_is_final');

-- Checks the answers, participants, guardian and initials of a signing request against the form of the session, and stores the
-- participants. Returns the waiver with guardian and initials.
create or replace function waivers.sign_form(waiver waivers.signed, session waivers.sessions, request public.signed_waivers)
    returns waivers.signed
    language plpgsql set search_path = '' as $$
declare
    max_bytes      constant int := 5000000;
    form           jsonb := session.form;
    minors         jsonb := coalesce(nullif(request.participants, 'null'), '[]');
    signing_day    date := accounts.today(waiver.company_id);
    signer_answers jsonb;
    shared_answers jsonb;
    birth_date     date;
begin
    waiver.form_bytes := waivers.bytes_of_form_columns(request);
    if waiver.form_bytes > max_bytes then
        perform waivers.refuse('waiver_too_large');
    end if;
    signer_answers := waivers.check_answers(form, request.answers, null, null, signing_day);
    birth_date := waivers.birth_date_in(form, signer_answers);
    if waivers.age_on(signing_day, birth_date) < waivers.age_of_majority(form) then
        perform waivers.refuse('signer_is_minor');
    end if;
    if waivers.covers_signer(form) then
        perform waivers.check_age(form, waivers.age_on(signing_day, birth_date), null);
    end if;
    perform waivers.check_minor_count(form, minors);
    perform waivers.store_participant(
        waiver, form, 0, waivers.covers_signer(form), waiver.signer_name, birth_date, signer_answers, null, signing_day);
    -- Each minor has their own answers to the questions to participants, so the signer's answers to these questions neither show
    -- nor hide a question to a minor.
    shared_answers := signer_answers - array(
        select q ->> 'key' from jsonb_array_elements(form -> 'questions') q where q ->> 'asked_of' = 'participant');
    for position in 0 .. jsonb_array_length(minors) - 1 loop
        perform waivers.store_minor(waiver, form, minors -> position, position, shared_answers, signing_day);
    end loop;
    waiver.guardian := waivers.check_guardian(request.guardian, has_minors => minors <> '[]');
    waiver.initials := waivers.check_initials(session.template_content, request.initials);
    waiver.record_version := 4;
    return waiver;
end
$$;

create or replace function waivers.bytes_of_form_columns(request public.signed_waivers) returns int
    language sql immutable
    return coalesce(octet_length((request).answers::text), 0) + coalesce(octet_length((request).participants::text), 0)
           + coalesce(octet_length((request).initials::text), 0) + coalesce(octet_length((request).guardian::text), 0);

-- Refuses answers, participants, initials and a guardian, which only a waiver with a form takes.
create or replace function waivers.refuse_form_columns(request public.signed_waivers) returns void
    language plpgsql immutable set search_path = '' as $$
begin
    if coalesce((request).answers, 'null') not in ('null', '{}') or coalesce((request).participants, 'null') not in ('null', '[]')
       or coalesce((request).initials, 'null') not in ('null', '[]') or coalesce((request).guardian, 'null') <> 'null' then
        perform waivers.refuse('form_missing');
    end if;
end
$$;

create or replace function waivers.age_of_majority(form jsonb) returns int
    language sql immutable
    return coalesce((form #>> '{covers,age_of_majority}')::int, 18);

-- Returns the birth date that the signer has entered, or null if there is none.
create or replace function waivers.birth_date_in(form jsonb, answers jsonb) returns date
    language sql immutable
    return (select waivers.to_date(answers -> (q ->> 'key'))
              from jsonb_array_elements(form -> 'questions') with ordinality as questions (q, position)
             where q ->> 'kind' = 'birth_date' and answers ? (q ->> 'key') order by position limit 1);

create or replace function waivers.check_minor_count(form jsonb, minors jsonb) returns void
    language plpgsql immutable set search_path = '' as $$
declare
    rule       jsonb := nullif(form #> '{covers,minors}', 'null');
    max_minors int := case when rule is null then 0 else coalesce((rule ->> 'most')::int, 10) end;
begin
    if jsonb_typeof(minors) <> 'array' then
        perform waivers.refuse('participants_invalid');
    end if;
    if jsonb_array_length(minors) > 0 and max_minors = 0 then
        perform waivers.refuse('participants_not_covered');
    end if;
    if jsonb_array_length(minors) > max_minors then
        perform waivers.refuse('too_many_participants', jsonb_build_object('most', max_minors));
    end if;
    if jsonb_array_length(minors) = 0 and not waivers.covers_signer(form) then
        perform waivers.refuse('participant_required');
    end if;
end
$$;

create or replace function waivers.check_age(form jsonb, age int, participant int) returns void
    language plpgsql immutable set search_path = '' as $$
begin
    if age < (form #>> '{covers,minimum_age}')::int then
        perform waivers.refuse_participant('participant_too_young', participant, form #> '{covers,minimum_age}');
    end if;
    if age > (form #>> '{covers,maximum_age}')::int then
        perform waivers.refuse_participant('participant_too_old', participant, form #> '{covers,maximum_age}');
    end if;
end
$$;

create or replace function waivers.refuse_participant(code text, participant int, age jsonb default null) returns void
    language sql
    return waivers.refuse(code, jsonb_strip_nulls(jsonb_build_object('participant', participant, 'age', age)));

-- Checks and stores one minor. An adult never signs for another adult, so every participant besides the signer is a minor.
-- `participant` is the position of the minor in the request.
create or replace function waivers.store_minor(
    waiver waivers.signed, form jsonb, minor jsonb, participant int, shared_answers jsonb, signing_day date) returns void
    language plpgsql set search_path = '' as $$
declare
    name       text;
    birth_date date := waivers.to_date(minor -> 'birth_date');
    age        int := waivers.age_on(signing_day, birth_date);
begin
    if jsonb_typeof(minor) <> 'object' or jsonb_typeof(coalesce(minor -> 'signature', 'null')) not in ('string', 'null')
       or minor - array['name', 'birth_date', 'kind', 'answers', 'signature'] <> '{}' then
        perform waivers.refuse_participant('participants_invalid', participant);
    end if;
    -- Only a JSON string is read, because a short JSON number such as 1e9999 would become a long text.
    name := case when jsonb_typeof(minor -> 'name') = 'string' then cairn.clean_line(minor ->> 'name') end;
    if coalesce(length(name) not between 1 and 400, true) then
        perform waivers.refuse_participant('participant_name_required', participant);
    end if;
    if not waivers.is_birth_date(minor -> 'birth_date', signing_day) then
        perform waivers.refuse_participant('participant_birth_date_required', participant);
    end if;
    if age >= waivers.age_of_majority(form) or minor -> 'kind' is distinct from '"minor"' then
        perform waivers.refuse_participant('participant_is_adult', participant);
    end if;
    perform waivers.check_age(form, age, participant);
    perform waivers.check_own_signature(form, minor -> 'signature', age, participant);
    perform waivers.store_participant(
        waiver, form, participant + 1, true, name, birth_date,
        waivers.check_answers(form, minor -> 'answers', shared_answers, participant, signing_day), minor ->> 'signature',
        signing_day);
end
$$;

-- From the age that the form states, a minor must sign too. The signature of a younger minor is refused.
create or replace function waivers.check_own_signature(form jsonb, signature jsonb, age int, participant int) returns void
    language plpgsql immutable set search_path = '' as $$
declare
    must_sign boolean := coalesce(age >= (form #>> '{covers,minors,own_signature_from_age}')::int, false);
begin
    if must_sign and coalesce(signature, 'null') = 'null' then
        perform waivers.refuse_participant('participant_signature_required', participant);
    end if;
    if not must_sign and coalesce(signature, 'null') <> 'null' then
        perform waivers.refuse_participant('participant_signature_not_asked', participant);
    end if;
    if must_sign then
        perform waivers.check_signature(signature #>> '{}');
    end if;
end
$$;

create or replace function waivers.store_participant(
    waiver waivers.signed, form jsonb, number int, takes_part boolean, name text, birth_date date, answers jsonb, signature text,
    signing_day date) returns void
    language plpgsql set search_path = '' as $$
declare
    participant_id uuid := gen_random_uuid();
    -- 122 of these 128 bits are random.
    salt           bytea := uuid_send(gen_random_uuid());
    sensitive_keys text[] := array(select q ->> 'key' from jsonb_array_elements(form -> 'questions') q
                                    where coalesce((q -> 'sensitive')::boolean, false));
    sensitive      jsonb := (select coalesce(jsonb_object_agg(a.key, a.value), '{}') from jsonb_each(answers) a
                              where a.key = any (sensitive_keys));
    has_sensitive  boolean := sensitive <> '{}';
begin
    insert into waivers.participants
           (id, waiver_id, company_id, number, takes_part, name, birth_date, kind, answers, flags, signature, sensitive_sha256)
    values (participant_id, waiver.id, waiver.company_id, number, takes_part, name, birth_date,
            case when number = 0 then 'adult' else 'minor' end, answers - sensitive_keys,
            waivers.flags(form, answers, birth_date, number = 0, signing_day, of_sensitive_questions => false), signature,
            case when has_sensitive then waivers.sensitive_hash(salt, sensitive) end);
    if has_sensitive then
        insert into waivers.sensitive_answers (participant_id, company_id, answers, flags, salt)
        values (participant_id, waiver.company_id, sensitive,
                waivers.flags(form, answers, birth_date, number = 0, signing_day, of_sensitive_questions => true), salt);
    end if;
end
$$;

-- A guardian states how they are related to the minors, and that they may sign for them.
create or replace function waivers.check_guardian(guardian jsonb, has_minors boolean) returns jsonb
    language plpgsql immutable set search_path = '' as $$
declare
    relationship jsonb := waivers.clean_string(guardian -> 'relationship', 100);
begin
    if not has_minors then
        if coalesce(guardian, 'null') <> 'null' then
            perform waivers.refuse('guardian_not_asked');
        end if;
        return null;
    end if;
    if relationship is null or guardian -> 'has_authority' is distinct from 'true'
       or guardian - array['relationship', 'has_authority'] <> '{}' then
        perform waivers.refuse('guardian_required');
    end if;
    return jsonb_build_object('relationship', relationship, 'has_authority', true);
end
$$;

-- Each [INITIALS] in the text is initialed separately.
create or replace function waivers.check_initials(content text, initials jsonb) returns jsonb
    language plpgsql immutable set search_path = '' as $$
declare
    place_count int := regexp_count(content, '\[INITIALS\]');
    accepted    jsonb := '[]';
begin
    initials := coalesce(nullif(initials, 'null'), '[]');
    if jsonb_typeof(initials) <> 'array' or jsonb_array_length(initials) > place_count then
        perform waivers.refuse('initials_not_asked', jsonb_build_object('places', place_count));
    end if;
    for place in 0 .. place_count - 1 loop
        if waivers.given_answer(initials -> place) is null or waivers.clean_initials(initials -> place) is null then
            perform waivers.refuse('initials_required', jsonb_build_object('place', place));
        end if;
        accepted := accepted || waivers.clean_initials(initials -> place);
    end loop;
    return nullif(accepted, '[]');
end
$$;

-- The view signed_waivers shows the results of the next two functions for a waiver with a form.
create or replace function waivers.signer_answers(waiver uuid) returns jsonb
    language sql stable set search_path = ''
    begin atomic
        select p.answers || coalesce(s.answers, '{}')
          from waivers.participants p left join waivers.sensitive_answers s on s.participant_id = p.id
         where p.waiver_id = waiver and p.number = 0;
    end;
grant execute on function waivers.signer_answers to public;

create or replace function waivers.minors_of(waiver uuid) returns jsonb
    language sql stable set search_path = ''
    begin atomic
        select coalesce(jsonb_agg(jsonb_build_object(
                   'name', p.name, 'birth_date', p.birth_date, 'kind', p.kind, 'answers', p.answers || coalesce(s.answers, '{}'))
                   order by p.number), '[]')
          from waivers.participants p left join waivers.sensitive_answers s on s.participant_id = p.id
         where p.waiver_id = waiver and p.number > 0;
    end;
grant execute on function waivers.minors_of to public;

-- Removes what is known about the people of an erased waiver. Their ids stay, because other tables refer to them.
create or replace function waivers.erase_participants(waiver uuid) returns void
    language sql set search_path = ''
    begin atomic
        delete from waivers.sensitive_answers s
         using waivers.participants p where s.participant_id = p.id and p.waiver_id = waiver;
        update waivers.participants p
           set name = '(erased)', birth_date = null, answers = '{}', flags = '[]', signature = null, sensitive_sha256 = null
         where p.waiver_id = waiver;
    end;

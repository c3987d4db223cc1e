-- Checks the answers of one person against the form, and cleans them. The browser checks the same rules before it sends the
-- answers. tests/waivers/forms/cases.json lists signing requests, each with the result that the database and the browser must reach.

-- Returns the cleaned answers of one person. `participant` is the position of a minor in the request, and null for the signer.
-- `shared_answers` are those answers of the signer on which the questions to a minor can depend. `signing_day` is today in the time
-- zone of the company.
create or replace function waivers.check_answers(
    form jsonb, answers jsonb, shared_answers jsonb, participant int, signing_day date) returns jsonb
    language plpgsql immutable set search_path = '' as $$
declare
    unread   jsonb := coalesce(nullif(answers, 'null'), '{}');
    accepted jsonb := '{}';
    question jsonb;
    key      text;
    answer   jsonb;
begin
    -- A form has at most 100 questions. The time to check more answers would grow with the square of their number, because removing
    -- one from `unread` copies the others.
    if jsonb_typeof(unread) <> 'object' or (select count(*) from jsonb_object_keys(unread)) > 100 then
        perform waivers.refuse_answer('answers_invalid', null, participant);
    end if;
    for question in select q from jsonb_array_elements(form -> 'questions') q loop
        key := question ->> 'key';
        answer := waivers.given_answer(unread -> key);
        unread := unread - key;
        if not waivers.is_asked(form, question, is_signer => participant is null)
           or question ? 'show_if'
              and not waivers.is_shown(question -> 'show_if',
                                       waivers.answer_to(question #>> '{show_if,question}', accepted, shared_answers)) then
            if answer is not null then
                perform waivers.refuse_answer('answer_not_asked', key, participant);
            end if;
        elsif answer is null then
            if coalesce((question -> 'required')::boolean, false) then
                perform waivers.refuse_answer('answer_required', key, participant);
            end if;
        else
            answer := waivers.clean_answer(question, answer, signing_day);
            if answer is null then
                perform waivers.refuse_answer('answer_invalid', key, participant);
            end if;
            accepted := accepted || jsonb_build_object(key, answer);
        end if;
    end loop;
    for key in select jsonb_object_keys(unread) limit 1 loop
        perform waivers.refuse_answer('question_unknown', left(key, 100), participant);
    end loop;
    perform waivers.check_answers_size(form, accepted, participant);
    return accepted;
end
$$;

create or replace function waivers.refuse_answer(code text, question text, participant int) returns void
    language sql
    return waivers.refuse(code, jsonb_strip_nulls(jsonb_build_object('question', question, 'participant', participant)));

-- Returns null for everything that counts as no answer: null, and an empty text, list or object.
create or replace function waivers.given_answer(answer jsonb) returns jsonb
    language sql immutable
    return case when answer in ('null', '""', '[]', '{}') then null
                when jsonb_typeof(answer) = 'string' and cairn.clean_line(answer #>> '{}') = '' then null
                else answer end;

-- True if the question is asked of this person: the signer or a minor. The signer is always an adult, and is also a participant
-- unless the form covers only minors.
create or replace function waivers.is_asked(form jsonb, question jsonb, is_signer boolean) returns boolean
    language sql immutable
    return case when question ->> 'kind' in ('heading', 'paragraph') then false
                else case coalesce(question ->> 'asked_of', 'signer')
                    when 'signer' then is_signer
                    when 'participant' then not is_signer or waivers.covers_signer(form)
                    when 'adult' then is_signer and waivers.covers_signer(form)
                    else not is_signer end end;

-- Returns an object with only this answer. Passing all answers to is_shown would copy megabytes of photos for each question with a
-- condition, and again for each minor.
create or replace function waivers.answer_to(key text, answers jsonb, shared_answers jsonb) returns jsonb
    language sql immutable
    return case when answers ? key then jsonb_build_object(key, answers -> key)
                when shared_answers ? key then jsonb_build_object(key, shared_answers -> key)
                else '{}' end;

-- A question that was not shown has no answer, so the questions that depend on it are not shown either.
create or replace function waivers.is_shown(condition jsonb, answers jsonb) returns boolean
    language sql immutable
    return case
        when condition is null then true
        when condition ? 'is' then coalesce(waivers.is_chosen(answers -> (condition ->> 'question'), condition -> 'is'), false)
        when condition ? 'is_not' then answers ? (condition ->> 'question')
            and not waivers.is_chosen(answers -> (condition ->> 'question'), condition -> 'is_not')
        when condition ? 'is_one_of' then answers ? (condition ->> 'question')
            and exists (select from jsonb_array_elements(condition -> 'is_one_of') wanted
                         where waivers.is_chosen(answers -> (condition ->> 'question'), wanted))
        else answers ? (condition ->> 'question') end;

-- If several options were chosen, each of them counts.
create or replace function waivers.is_chosen(answer jsonb, wanted jsonb) returns boolean
    language sql immutable
    return answer = wanted or (jsonb_typeof(answer) = 'array' and answer @> jsonb_build_array(wanted));

-- Photos do not count here, because each of them has its own limit.
create or replace function waivers.check_answers_size(form jsonb, answers jsonb, participant int) returns void
    language plpgsql immutable set search_path = '' as $$
declare
    max_bytes constant int := 20000;
    photos    text[] := array(select q ->> 'key' from jsonb_array_elements(form -> 'questions') q where q ->> 'kind' = 'photo');
begin
    if octet_length((answers - photos)::text) > max_bytes then
        perform waivers.refuse_answer('answers_too_long', null, participant);
    end if;
end
$$;

-- Returns the answer as it is stored, or null if it is not a valid answer to this question. PostgreSQL inlines this function and
-- clean_string only if they are declared stable, because to_jsonb is stable. Without that, checking the answers of a person would take
-- four times as long.
create or replace function waivers.clean_answer(question jsonb, answer jsonb, signing_day date) returns jsonb
    language sql stable
    return case question ->> 'kind'
        when 'short_text' then waivers.clean_string(answer, 500)
        when 'long_text' then case when jsonb_typeof(answer) = 'string' and length(answer #>> '{}') <= 4000
                                   then to_jsonb(cairn.clean_text(answer #>> '{}')) end
        when 'email' then case when waivers.is_email_address(answer) then to_jsonb(cairn.clean_address(answer #>> '{}')) end
        when 'phone' then case when waivers.is_phone(answer) then waivers.clean_string(answer, 30) end
        when 'date' then case when waivers.to_date(answer) is not null then answer end
        when 'birth_date' then case when waivers.is_birth_date(answer, signing_day) then answer end
        when 'number' then case when waivers.is_number(answer)
                                     and answer between coalesce(question -> 'min', '-1e12') and coalesce(question -> 'max', '1e12')
                                then answer end
        when 'yes_no' then case when jsonb_typeof(answer) = 'boolean' then answer end
        when 'agreement' then case when answer = 'true' then answer end
        when 'one_of' then case when waivers.is_option(question, answer) then answer end
        when 'several_of' then case when waivers.are_options(question, answer) then answer end
        when 'initials' then waivers.clean_initials(answer)
        when 'address' then waivers.clean_fields(answer, '{street,city}', '{region,postal_code,country}', 200)
        when 'emergency_contact' then case when waivers.is_phone(answer -> 'phone')
                                           then waivers.clean_fields(answer, '{name,phone}', '{relationship}', 200) end
        when 'photo' then case when waivers.is_photo(answer) then answer end end;

create or replace function waivers.clean_string(value jsonb, max_length int) returns jsonb
    language sql stable
    return case when jsonb_typeof(value) = 'string' and length(cairn.clean_line(value #>> '{}')) between 1 and max_length
                then to_jsonb(cairn.clean_line(value #>> '{}')) end;

create or replace function waivers.is_email_address(value jsonb) returns boolean
    language sql immutable
    return jsonb_typeof(value) = 'string' and length(value #>> '{}') <= 320 and value #>> '{}' ~ '.@.'
           and cairn.is_one_address(cairn.clean_address(value #>> '{}'));

create or replace function waivers.is_phone(value jsonb) returns boolean
    language sql immutable
    return jsonb_typeof(value) = 'string' and value #>> '{}' ~ '^ *\+?[0-9(][0-9 ()./-]{3,27}[0-9] *$';

-- Returns null if the value is not a date like "2026-05-01" that exists in the calendar.
create or replace function waivers.to_date(value jsonb) returns date
    language plpgsql immutable set search_path = '' as $$
declare
    parts int[];
    first_day date;
begin
    if jsonb_typeof(value) <> 'string' or value #>> '{}' !~ '^[0-9]{4}-[0-9]{2}-[0-9]{2}$' then
        return null;
    end if;
    parts := string_to_array(value #>> '{}', '-')::int[];
    if parts[1] = 0 or parts[2] not between 1 and 12 or parts[3] = 0 then
        return null;
    end if;
    first_day := make_date(parts[1], parts[2], 1);
    if parts[3] > extract(day from first_day + interval '1 month - 1 day') then
        return null;
    end if;
    return first_day + parts[3] - 1;
end
$$;

create or replace function waivers.is_birth_date(value jsonb, signing_day date) returns boolean
    language sql immutable
    return coalesce(waivers.to_date(value) between signing_day - interval '130 years' and signing_day, false);

-- Returns the age in full years on this day. In a year without 29 February, someone born on that day turns a year older on 1 March.
create or replace function waivers.age_on(day date, birth_date date) returns int
    language sql immutable
    return extract(year from age(day::timestamp, birth_date::timestamp))::int;
grant execute on function waivers.age_on to authenticated, service_role;

create or replace function waivers.is_option(question jsonb, answer jsonb) returns boolean
    language sql immutable
    return exists (select from jsonb_array_elements(question -> 'options') o where o -> 'value' = answer);

create or replace function waivers.are_options(question jsonb, answers jsonb) returns boolean
    language sql immutable
    return case when jsonb_typeof(answers) <> 'array' then false
                else jsonb_array_length(answers) = (select count(distinct o -> 'value')
                                                      from jsonb_array_elements(question -> 'options') o
                                                      join jsonb_array_elements(answers) a on a = o -> 'value') end;

-- Typed initials are a short text, and drawn initials are a data URL.
create or replace function waivers.clean_initials(value jsonb) returns jsonb
    language sql immutable
    return case when jsonb_typeof(value) <> 'string' then null
                when value #>> '{}' like 'data:%' then case when waivers.is_photo(value) then value end
                else waivers.clean_string(value, 10) end;

-- True for a data URL of at most 300,000 characters with a JPEG or PNG. The browser shrinks photos until they fit.
create or replace function waivers.is_photo(value jsonb) returns boolean
    language sql immutable
    return jsonb_typeof(value) = 'string' and octet_length(value #>> '{}') between 80 and 300000
           and (value #>> '{}' ~ '^data:image/png;base64,iVBORw0KGgo[A-Za-z0-9+/]+={0,2}$'
                or value #>> '{}' ~ '^data:image/jpeg;base64,/9j/[A-Za-z0-9+/]+={0,2}$');

-- Returns an object with the given fields as cleaned texts. Returns null if a required field is missing, or if a field is unknown,
-- not a text or too long.
create or replace function waivers.clean_fields(value jsonb, required text[], optional text[], max_length int) returns jsonb
    language sql immutable
    return case when jsonb_typeof(value) <> 'object' or value - required - optional <> '{}' then null
                else (select case when count(*) filter (where f.key = any (required)) = cardinality(required)
                                       and bool_and(f.text is not null)
                                  then jsonb_object_agg(f.key, f.text) end
                        from (select v.key, waivers.clean_string(v.value, max_length) as text from jsonb_each(value) v
                               where waivers.given_answer(v.value) is not null) f) end;

-- Returns the flags, which staff should see before the activity: for each flagged answer, the key of its question and the text of
-- the flag. The flags of sensitive questions are stored separately: `of_sensitive_questions` says whether to return these or the
-- others.
create or replace function waivers.flags(
    form jsonb, answers jsonb, birth_date date, is_signer boolean, signing_day date, of_sensitive_questions boolean) returns jsonb
    language sql immutable
    return (select coalesce(jsonb_agg(jsonb_build_object('question', q -> 'key', 'text', q #> '{flag,text}') order by position), '[]')
              from jsonb_array_elements(form -> 'questions') with ordinality as questions (q, position)
             where q ? 'flag' and coalesce((q -> 'sensitive')::boolean, false) = of_sensitive_questions
               and waivers.is_asked(form, q, is_signer)
               and waivers.is_flagged(q #> '{flag,when}', answers -> (q ->> 'key'),
                                      case when q ->> 'kind' = 'birth_date' then waivers.to_date(answers -> (q ->> 'key'))
                                           else birth_date end, signing_day));

create or replace function waivers.is_flagged(condition jsonb, answer jsonb, birth_date date, signing_day date) returns boolean
    language sql immutable
    return coalesce(case
        when condition = '"yes"' then answer = 'true'
        when condition = '"no"' then answer = 'false'
        when condition = '"filled"' then answer is not null
        when condition ? 'age_below' then waivers.age_on(signing_day, birth_date) < (condition -> 'age_below')::int
        else exists (select from jsonb_array_elements(condition -> 'one_of') wanted where waivers.is_chosen(answer, wanted)) end,
        false);

-- True if a participant's flags are those that follow from the form and the answers, or if there are no answers. The hash of a
-- record does not cover the flags, because they can be computed. The company's time zone at the time of signing is not known, so the
-- flags for the UTC date of signing, the day before or the day after are accepted.
create or replace function waivers.flags_match_answers(
    form jsonb, participant waivers.participants, answers jsonb, flags jsonb, signed_at timestamptz,
    of_sensitive_questions boolean) returns boolean
    language sql stable security definer set search_path = ''
    return answers is null or flags in (
        select waivers.flags(form, answers, (participant).birth_date, (participant).number = 0,
                             (signed_at at time zone 'UTC')::date + offset_days, of_sensitive_questions)
          from generate_series(-1, 1) as days (offset_days));
grant execute on function waivers.flags_match_answers to service_role;

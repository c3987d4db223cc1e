-- Refuses a form that does not follow cairn/waivers/form.schema.json, or whose questions do not fit together. The guest's page
-- and the functions that check answers rely on a correct form.

create or replace function waivers.check_form(form jsonb) returns void
    language plpgsql immutable set search_path = '' as $$
declare
    max_bytes     constant int := 200000;
    max_questions constant int := 100;
    questions     jsonb := form -> 'questions';
    keys          text[];
begin
    perform waivers.check_fields('form', form, '{questions}', '{covers}');
    if pg_column_size(form) > max_bytes then
        perform waivers.refuse_form('form', 'it is longer than 200,000 characters');
    end if;
    perform waivers.check_covers(form -> 'covers');
    if jsonb_typeof(questions) <> 'array' or jsonb_array_length(questions) > max_questions then
        perform waivers.refuse_form('questions', 'it must be a list of at most 100 questions');
    end if;
    for number in 0 .. jsonb_array_length(questions) - 1 loop
        perform waivers.check_question(form, number);
    end loop;
    select array_agg(q ->> 'key') into keys from jsonb_array_elements(questions) q;
    for number in 1 .. coalesce(cardinality(keys), 0) loop
        if array_position(keys, keys[number]) < number then
            perform waivers.refuse_form(format('questions[%s].key', number - 1), 'an earlier question has the same key');
        end if;
    end loop;
end
$$;

-- Each [INITIALS] in the text of a waiver with a form is initialed separately. Thousands of them would take minutes to check.
create or replace function waivers.check_places_for_initials(content text) returns void
    language plpgsql immutable set search_path = '' as $$
declare
    max_places constant int := 50;
begin
    if regexp_count(content, '\[INITIALS\]') > max_places then
        perform waivers.refuse_form('content', 'it asks for initials at more than 50 places');
    end if;
end
$$;

-- `place` is the path of the field that is wrong, such as questions[3].label.
create or replace function waivers.refuse_form(place text, problem text) returns void
    language sql
    return waivers.refuse('form_invalid', jsonb_build_object('place', place, 'problem', problem));

-- Refuses a value that is not a text for people to read: not a string, empty, too long, or with control characters.
create or replace function waivers.check_label(place text, value jsonb, max_length int) returns void
    language plpgsql immutable set search_path = '' as $$
begin
    if jsonb_typeof(value) is distinct from 'string' or length(value #>> '{}') > max_length
       or trim(value #>> '{}') = '' or cairn.clean_text(value #>> '{}') <> value #>> '{}' then
        perform waivers.refuse_form(place, format('it must be a text of 1 to %s characters', max_length));
    end if;
end
$$;

-- Refuses a value that is not an object with all required fields and no unknown ones.
create or replace function waivers.check_fields(place text, value jsonb, required text[], optional text[]) returns void
    language plpgsql immutable set search_path = '' as $$
begin
    if jsonb_typeof(value) is distinct from 'object' then
        perform waivers.refuse_form(place, 'it must be an object');
    end if;
    if not value ?& required then
        perform waivers.refuse_form(place, 'these fields are required: ' || array_to_string(required, ', '));
    end if;
    if value - required - optional <> '{}' then
        perform waivers.refuse_form(place, 'unknown field ' || (select key from jsonb_each(value - required - optional) limit 1));
    end if;
end
$$;

create or replace function waivers.check_covers(covers jsonb) returns void
    language plpgsql immutable set search_path = '' as $$
declare
    minors       jsonb := nullif(covers -> 'minors', 'null');
    max_minors   constant int := 30;
    max_age      constant int := 120;
begin
    if covers is null then
        return;
    end if;
    perform waivers.check_fields('covers', covers, '{}', '{signer,minors,age_of_majority,minimum_age,maximum_age}');
    if jsonb_typeof(coalesce(covers -> 'signer', 'true')) <> 'boolean' then
        perform waivers.refuse_form('covers.signer', 'it must be true or false');
    end if;
    perform waivers.check_whole_number('covers.age_of_majority', covers -> 'age_of_majority', 14, 30);
    perform waivers.check_whole_number('covers.minimum_age', covers -> 'minimum_age', 0, max_age);
    perform waivers.check_whole_number('covers.maximum_age', covers -> 'maximum_age', 0, max_age);
    if (covers ->> 'minimum_age')::numeric > (covers ->> 'maximum_age')::numeric then
        perform waivers.refuse_form('covers.maximum_age', 'it is lower than the minimum age');
    end if;
    if minors is not null then
        perform waivers.check_fields('covers.minors', minors, '{}', '{most,own_signature_from_age}');
        perform waivers.check_whole_number('covers.minors.most', minors -> 'most', 1, max_minors);
        perform waivers.check_whole_number(
            'covers.minors.own_signature_from_age', minors -> 'own_signature_from_age', 0, max_age);
    elsif covers -> 'signer' = 'false' then
        perform waivers.refuse_form('covers', 'if the signer does not take part, the form must cover minors');
    end if;
end
$$;

-- Refuses a value that is neither a whole number in this range nor null. A field with null has its default value.
create or replace function waivers.check_whole_number(place text, value jsonb, lowest int, highest int) returns void
    language plpgsql immutable set search_path = '' as $$
begin
    if coalesce(value, 'null') <> 'null' and not waivers.is_whole_number(value, lowest, highest) then
        perform waivers.refuse_form(place, format('it must be a whole number from %s to %s', lowest, highest));
    end if;
end
$$;

create or replace function waivers.is_whole_number(value jsonb, lowest int, highest int) returns boolean
    language sql immutable
    return case when jsonb_typeof(value) = 'number'
                then value >= to_jsonb(lowest) and value <= to_jsonb(highest) and scale(value::numeric) = 0
                else false end;

create or replace function waivers.check_question(form jsonb, number int) returns void
    language plpgsql immutable set search_path = '' as $$
declare
    question jsonb := form -> 'questions' -> number;
    place    text := format('questions[%s]', number);
    kind     text := question ->> 'kind';
    is_text  boolean := kind in ('heading', 'paragraph');
begin
    perform waivers.check_fields(
        place, question, '{key,kind,label}', '{help,asked_of,required,options,show_if,flag,sensitive,min,max}');
    if question ->> 'key' !~ '^[a-z][a-z0-9_]{0,39}$' or jsonb_typeof(question -> 'key') <> 'string' then
        perform waivers.refuse_form(place || '.key', 'it must begin with a-z and have at most 40 characters of a-z, 0-9 and underscore');
    end if;
    if kind is null or kind <> all (waivers.question_kinds()) then
        perform waivers.refuse_form(place || '.kind', 'there is no such kind of question');
    end if;
    perform waivers.check_label(place || '.label', question -> 'label', case when kind = 'paragraph' then 4000 else 500 end);
    if question ? 'help' then
        perform waivers.check_label(place || '.help', question -> 'help', 1000);
    end if;
    if question ->> 'asked_of' not in ('signer', 'participant', 'minor', 'adult') then
        perform waivers.refuse_form(place || '.asked_of', 'it must be signer, participant, minor or adult');
    end if;
    if jsonb_typeof(coalesce(question -> 'required', 'true')) <> 'boolean'
       or jsonb_typeof(coalesce(question -> 'sensitive', 'true')) <> 'boolean' then
        perform waivers.refuse_form(place, 'required and sensitive must be true or false');
    end if;
    if is_text and question ?| '{required,options,flag,sensitive}' then
        perform waivers.refuse_form(place, 'a heading or paragraph takes no answer');
    end if;
    perform waivers.check_options(place, question);
    perform waivers.check_bounds(place, question);
    perform waivers.check_condition(form, number);
    perform waivers.check_flag(place || '.flag', question);
end
$$;

create or replace function waivers.question_kinds() returns text[]
    language sql immutable
    return array['short_text', 'long_text', 'email', 'phone', 'date', 'birth_date', 'number', 'yes_no', 'one_of', 'several_of',
                 'agreement', 'initials', 'address', 'emergency_contact', 'photo', 'heading', 'paragraph'];

-- A question with a choice has options, and no other question has them.
create or replace function waivers.check_options(place text, question jsonb) returns void
    language plpgsql immutable set search_path = '' as $$
declare
    max_options constant int := 50;
    has_choice  boolean := question ->> 'kind' in ('one_of', 'several_of');
    options     jsonb := question -> 'options';
    option      jsonb;
begin
    if has_choice <> (options is not null) then
        perform waivers.refuse_form(place || '.options', 'questions of kind one_of and several_of have options, others have none');
    end if;
    if not has_choice then
        return;
    end if;
    if jsonb_typeof(options) <> 'array' or jsonb_array_length(options) not between 1 and max_options then
        perform waivers.refuse_form(place || '.options', 'it must be a list of 1 to 50 options');
    end if;
    for option in select * from jsonb_array_elements(options) loop
        perform waivers.check_fields(place || '.options', option, '{value,label}', '{}');
        perform waivers.check_label(place || '.options', option -> 'value', 100);
        perform waivers.check_label(place || '.options', option -> 'label', 200);
    end loop;
    if jsonb_array_length(options) > (select count(distinct o -> 'value') from jsonb_array_elements(options) o) then
        perform waivers.refuse_form(place || '.options', 'two options have the same value');
    end if;
end
$$;

create or replace function waivers.check_bounds(place text, question jsonb) returns void
    language plpgsql immutable set search_path = '' as $$
begin
    if not question ?| '{min,max}' then
        return;
    end if;
    if question ->> 'kind' <> 'number' or not waivers.is_number(coalesce(question -> 'min', '0'))
       or not waivers.is_number(coalesce(question -> 'max', '0')) then
        perform waivers.refuse_form(place, 'min and max are numbers below 1e12, and only a question of kind number has them');
    end if;
    if (question -> 'min')::numeric > (question -> 'max')::numeric then
        perform waivers.refuse_form(place, 'max is lower than min');
    end if;
end
$$;

-- True for a number that JavaScript and Python can read too. PostgreSQL also accepts numbers with 100,000 digits.
create or replace function waivers.is_number(value jsonb) returns boolean
    language sql immutable
    return jsonb_typeof(value) = 'number' and value between '-1e12' and '1e12' and scale((value)::numeric) <= 12;

-- True for a single value with which an answer can be compared.
create or replace function waivers.is_value(value jsonb) returns boolean
    language sql immutable
    return case jsonb_typeof(value) when 'string' then length(value #>> '{}') <= 500
                                    when 'boolean' then true
                                    else waivers.is_number(value) end;

create or replace function waivers.is_list_of_values(list jsonb) returns boolean
    language sql immutable
    return case when jsonb_typeof(list) = 'array' and jsonb_array_length(list) between 1 and 50
                then (select bool_and(waivers.is_value(v)) from jsonb_array_elements(list) v) else false end;

-- A condition refers to an earlier question. Everyone who gets this question must get the earlier one too.
create or replace function waivers.check_condition(form jsonb, number int) returns void
    language plpgsql immutable set search_path = '' as $$
declare
    question  jsonb := form -> 'questions' -> number;
    condition jsonb := question -> 'show_if';
    place     text := format('questions[%s].show_if', number);
    earlier   jsonb;
begin
    if condition is null then
        return;
    end if;
    perform waivers.check_fields(place, condition, '{question}', '{is,is_not,is_one_of,is_filled}');
    if (select count(*) from jsonb_object_keys(condition)) <> 2 then
        perform waivers.refuse_form(place, 'it must have exactly one of is, is_not, is_one_of and is_filled');
    end if;
    if condition ? 'is_one_of' and not waivers.is_list_of_values(condition -> 'is_one_of') then
        perform waivers.refuse_form(place, 'is_one_of must be a list of 1 to 50 values');
    end if;
    if not waivers.is_value(coalesce(condition -> 'is', condition -> 'is_not', 'true')) then
        perform waivers.refuse_form(place, 'is and is_not must be a text, a number, true or false');
    end if;
    if condition -> 'is_filled' <> 'true' then
        perform waivers.refuse_form(place, 'is_filled must be true');
    end if;
    select q into earlier from jsonb_array_elements(form -> 'questions') with ordinality as questions (q, position)
     where q -> 'key' = condition -> 'question' and position <= number;
    if earlier is null or earlier ->> 'kind' in ('heading', 'paragraph') then
        perform waivers.refuse_form(place, 'it must name an earlier question');
    end if;
    if not waivers.is_asked_of_all(form, earlier, question) then
        perform waivers.refuse_form(place, 'not everyone who gets this question gets the earlier one');
    end if;
end
$$;

-- True if everyone who gets the later question gets the earlier one too. The signer answers for the whole family, so a question to a
-- participant can depend on an answer of the signer.
create or replace function waivers.is_asked_of_all(form jsonb, earlier jsonb, later jsonb) returns boolean
    language sql immutable
    return case coalesce(earlier ->> 'asked_of', 'signer')
        when 'signer' then true
        when 'participant' then coalesce(later ->> 'asked_of', 'signer') <> 'signer' or waivers.covers_signer(form)
        when 'adult' then coalesce(later ->> 'asked_of', 'signer') in ('adult', 'signer') and waivers.covers_signer(form)
        else coalesce(later ->> 'asked_of', 'signer') = 'minor' end;

create or replace function waivers.covers_signer(form jsonb) returns boolean
    language sql immutable
    return coalesce((form #>> '{covers,signer}')::boolean, true);

create or replace function waivers.check_flag(place text, question jsonb) returns void
    language plpgsql immutable set search_path = '' as $$
declare
    flag      jsonb := question -> 'flag';
    condition jsonb := flag -> 'when';
begin
    if flag is null then
        return;
    end if;
    perform waivers.check_fields(place, flag, '{when,text}', '{}');
    perform waivers.check_label(place || '.text', flag -> 'text', 200);
    if condition in ('"yes"', '"no"', '"filled"') then
        return;
    end if;
    perform waivers.check_fields(place || '.when', condition, '{}', '{one_of,age_below}');
    if condition - 'one_of' <> '{}' and condition - 'age_below' <> '{}'
       or not waivers.is_list_of_values(condition -> 'one_of')
          and not waivers.is_whole_number(condition -> 'age_below', 1, 120) then
        perform waivers.refuse_form(place || '.when', 'it must be yes, no, filled, {one_of: [...]} or {age_below: N}');
    end if;
end
$$;

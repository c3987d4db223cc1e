-- The directory is filtered by the flags and answers of the people of a waiver. Each flag and each answer is a number in the column
-- `filter_keys`, which has an index. The company is part of the number, so that a filter never visits rows of another company.
create or replace function waivers.filter_keys(company uuid, flags jsonb, answers jsonb) returns bigint[]
    language plpgsql immutable parallel safe as $$
declare
    -- Only answers that can be chosen from a list are compared, and options have at most 100 characters.
    max_bytes constant int := 400;
    keys      bigint[] := '{}';
    question  text;
    answer    jsonb;
begin
    if flags <> '[]' then
        keys := waivers.flag_key(company, '')
                || array(select waivers.flag_key(company, f ->> 'text') from jsonb_array_elements(flags) f);
    end if;
    for question, answer in select * from jsonb_each(answers) loop
        if jsonb_typeof(answer) = 'array' then
            keys := keys || array(select waivers.answer_key(company, question, chosen)
                                    from jsonb_array_elements_text(answer) chosen);
        elsif jsonb_typeof(answer) in ('boolean', 'string') and octet_length(answer #>> '{}') <= max_bytes then
            keys := keys || waivers.answer_key(company, question, answer #>> '{}');
        end if;
    end loop;
    return keys;
end
$$;

-- An empty text means any flag. No flag has an empty text.
create or replace function waivers.flag_key(company uuid, flag text) returns bigint
    language sql immutable parallel safe
    return hashtextextended(company::text || ' flag ' || flag, 0);

-- The answers yes and no are "true" and "false". Of several chosen options, each has its own key.
create or replace function waivers.answer_key(company uuid, question text, answer text) returns bigint
    language sql immutable parallel safe
    return hashtextextended(company::text || ' answer ' || question || ' ' || answer, 0);

-- The people of all waivers with their keys, for the functions of the directory, which run with the owner's privileges. Row-level
-- security does not apply to them, so the view itself leaves out what the caller may not read.
create or replace view waivers.directory_people with (security_invoker = true) as
    select p.waiver_id, p.filter_keys
      from waivers.participants p
    union all
    select p.waiver_id, s.filter_keys
      from waivers.sensitive_answers s
      join waivers.participants p on p.id = s.participant_id
     where (select waivers.may_read_sensitive_answers());

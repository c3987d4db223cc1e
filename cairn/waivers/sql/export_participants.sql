-- Returns the participants of these waivers for a CSV file, for at most 500 waivers with a form. Each answer comes with its question.
-- What only the signer is asked, for example the emergency contact, is part of every row, because the signer may not take part. The
-- flags of a signer who does not take part are part of every row too. The rows are read with the caller's privileges.
create or replace function public.participants_for_export(waiver_ids uuid[], with_sensitive boolean default false)
    returns table (waiver_id uuid, name text, birth_date date, kind text, flags text[], answers jsonb)
    language sql stable
    begin atomic
        select w.id, p.name, p.birth_date, p.kind,
               array(select f ->> 'text'
                       from jsonb_array_elements(case when signer.takes_part then p.flags else signer.flags || p.flags end)
                            with ordinality as all_flags (f, position) order by position),
               waivers.answered_questions(s.form, signer.answers, p.answers)
          from waivers.signed w
          join waivers.sessions s on s.id = w.session_id
         cross join lateral waivers.people(w.id, with_sensitive) signer
         cross join lateral waivers.people(w.id, with_sensitive) p
         where w.id = any (waiver_ids[1:500]) and w.record_version >= 4 and w.erased_at is null and signer.number = 0 and p.takes_part
         order by w.id, p.number;
    end;
grant execute on function public.participants_for_export to authenticated;

-- Returns the questions that were answered, in the order of the form, each with its answer.
create or replace function waivers.answered_questions(form jsonb, signer_answers jsonb, answers jsonb) returns jsonb
    language sql immutable
    return (select coalesce(jsonb_agg(jsonb_strip_nulls(jsonb_build_object(
                       'key', q -> 'key', 'label', q -> 'label', 'kind', q -> 'kind', 'options', q -> 'options', 'answer', a.answer))
                       order by position), '[]')
              from jsonb_array_elements(form -> 'questions') with ordinality as questions (q, position)
             cross join lateral (select case coalesce(q ->> 'asked_of', 'signer') when 'signer' then signer_answers
                                             else answers end -> (q ->> 'key') as answer) a
             where a.answer is not null);
grant execute on function waivers.answered_questions to authenticated;

-- Limits the text of a waiver so that its PDF is rendered in a few seconds at most, also with the longest names filled in:
-- 2,000 lines take 0.3 s of processor time, and 100,000 characters with as much emphasis as possible take 2 s. A test
-- renders the worst texts. Older, longer texts can still be signed.
create or replace function waivers.check_text(content text) returns void
    language plpgsql immutable set search_path = '' as $$
declare
    max_characters constant int := 100000;
    max_lines      constant int := 2000;
    longest_name   constant text := repeat('n', 400);
begin
    -- A line without text does not count.
    if length(content) > max_characters or regexp_count(content, '\S[^\r\n]*') > max_lines then
        perform waivers.refuse('template_too_long');
    end if;
    if length(waivers.fill(content, longest_name, longest_name)) > max_characters then
        perform waivers.refuse('template_too_long');
    end if;
end
$$;
grant execute on function waivers.check_text to public;

create or replace function waivers.check_session_text() returns trigger
    language plpgsql set search_path = '' as $$
begin
    perform waivers.check_text(new.template_content);
    if new.form is not null then
        perform waivers.check_places_for_initials(new.template_content);
    end if;
    return new;
end
$$;
grant execute on function waivers.check_session_text to public;

-- A text that was written for a single sending has no version. The trigger that looks up the version runs before this
-- one, because triggers run in the order of their names.
create or replace trigger refuse_long_text before insert on waivers.sessions
    for each row when (new.template_version is null) execute function waivers.check_session_text();

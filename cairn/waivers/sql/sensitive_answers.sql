-- Returns whether the caller may read answers to sensitive questions, for example about health. Everyone who works for a company may
-- read those in its waivers. The policy of the table asks this function, and so does the directory, which runs with the owner's
-- privileges. A rule that differs between the people of a company would also have to change `realtime.visible_rows`, because there
-- people of one role share what is read for the first of them.
create or replace function waivers.may_read_sensitive_answers() returns boolean
    language sql stable
    return accounts.my_company() is not null;
grant execute on function waivers.may_read_sensitive_answers to authenticated;

-- An archived template accepts no new sessions. Its existing sessions stay open, so repeating the request that opened one
-- of them still succeeds, and so does replacing one of them because its recipient was corrected or its link has expired.
create or replace function waivers.refuse_archived() returns trigger
    language plpgsql security definer set search_path = '' as $$
begin
    if new.status = 'pending'
       and exists (select from public.waiver_templates t where t.id = new.template_id and t.archived_at is not null)
       and not exists (select from waivers.sessions s where s.id = new.id or s.replaced_by = new.id) then
        perform waivers.refuse('template_archived');
    end if;
    return new;
end
$$;

create or replace trigger refuse_archived before insert on waivers.sessions
    for each row execute function waivers.refuse_archived();

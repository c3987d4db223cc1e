-- Checks an activity before it is saved. Runs with the owner's privileges, because callers have no access to schema `cairn`.
create or replace function trips.check_activity() returns trigger
    language plpgsql security definer set search_path = '' as $$
declare
    max_templates constant int := 10;
begin
    if tg_op = 'INSERT' then
        new.company_id := trips.owner(new.company_id);
    end if;
    new.name := cairn.clean_line(new.name);
    if coalesce(length(new.name) not between 1 and 200, true) then
        perform trips.refuse('activity_name_required');
    end if;
    -- A template that was archived later does not keep the activity from being changed.
    if (tg_op = 'INSERT' or new.template_ids is distinct from old.template_ids)
       and (cardinality(new.template_ids) > max_templates
            or not waivers.are_templates_of(new.company_id, new.template_ids)) then
        perform trips.refuse('templates_not_found', jsonb_build_object('most', max_templates));
    end if;
    return new;
end
$$;

create or replace trigger check_activity before insert or update on public.activities
    for each row execute function trips.check_activity();

create or replace function trips.check_activity_count() returns trigger
    language plpgsql security definer set search_path = '' as $$
declare
    max_activities constant int := 500;
begin
    if (select count(*) from public.activities a where a.company_id = (select accounts.my_company())) > max_activities then
        perform trips.refuse('too_many_activities', jsonb_build_object('most', max_activities));
    end if;
    return null;
end
$$;

create or replace trigger check_activity_count after insert on public.activities
    for each statement execute function trips.check_activity_count();

-- The people of a suspended company cannot change its activities.
create or replace trigger refuse_suspended before insert or update on public.activities
    for each statement execute function accounts.refuse_suspended_statement();

-- Cleans and checks a template before it is saved, and counts its versions. Runs with the owner's privileges, because
-- callers have no access to schema `cairn`.
create or replace function waivers.check_template() returns trigger
    language plpgsql security definer set search_path = '' as $$
declare
    -- An unchanged text is not cleaned again, because cleaning a long text takes time.
    clean_content text := case when tg_op = 'UPDATE' and new.content is not distinct from old.content then old.content
                               else cairn.clean_text(new.content) end;
begin
    new.id := cairn.clean_line(new.id);
    new.name := cairn.clean_line(new.name);
    if new.name is null or new.name = '' then
        perform waivers.refuse('template_name_required');
    end if;
    new.description := cairn.clean_text(new.description);
    -- If the new value is the stored value itself and not a copy of it, PostgreSQL does not store the text again.
    if tg_op = 'UPDATE' and clean_content is not distinct from old.content then
        new.content := old.content;
    else
        new.content := clean_content;
        perform waivers.check_text(new.content);
    end if;
    -- A JSON null means the same as no form.
    new.form := nullif(new.form, 'null');
    if new.form is not null and (tg_op = 'INSERT' or new.form is distinct from old.form) then
        perform waivers.check_form(new.form);
    end if;
    if new.form is not null then
        perform waivers.check_places_for_initials(new.content);
    end if;
    -- The caller decides whether the template is archived; the time is always set here.
    new.archived_at := case when new.archived_at is not null then now() end;
    if tg_op = 'UPDATE' then
        if old.archived_at is not null and new.archived_at is not null then
            new.archived_at := old.archived_at;
        end if;
        if (new.name, new.description, new.content, new.form)
           is distinct from (old.name, old.description, old.content, old.form) then
            new.version := old.version + 1;
            new.updated_at := now();
        end if;
    end if;
    return new;
end
$$;

create or replace trigger check_template before insert or update on public.waiver_templates
    for each row execute function waivers.check_template();

-- The people of a suspended company cannot change its templates.
create or replace trigger refuse_suspended before insert or update on public.waiver_templates
    for each statement execute function accounts.refuse_suspended_statement();

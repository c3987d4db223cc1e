-- Each saved state of a template is a version that never changes.

create or replace function waivers.note_version() returns trigger
    language plpgsql security definer set search_path = '' as $$
begin
    insert into public.waiver_template_versions
           (template_id, version, company_id, name, description, content, saved_by, saved_by_name)
    values (new.id, new.version, new.company_id, new.name, new.description, new.content, auth.uid(),
            (select p.name from accounts.people p where p.user_id = auth.uid()));
    return null;
end
$$;

create or replace trigger note_first_version after insert on public.waiver_templates
    for each row execute function waivers.note_version();

create or replace trigger note_next_version after update on public.waiver_templates
    for each row when (new.version <> old.version) execute function waivers.note_version();

-- No role may update versions; this trigger also protects them from mistakes in the server's own code.
create or replace trigger keep_version before update on public.waiver_template_versions
    for each row execute function waivers.refuse_row('version_is_final');

-- A session records which version of the template it shows, even if the template was saved again while the session was
-- being sent. A text written for a single sending has no version.
create or replace function waivers.note_template_version() returns trigger
    language plpgsql security definer set search_path = '' as $$
begin
    new.template_version := (select v.version from public.waiver_template_versions v
                              where v.template_id = new.template_id and v.content = new.template_content
                              order by v.version desc limit 1);
    return new;
end
$$;

create or replace trigger note_template_version before insert on waivers.sessions
    for each row execute function waivers.note_template_version();

-- Each saved state of a template is a version that never changes.

create or replace function waivers.note_version() returns trigger
    language plpgsql security definer set search_path = '' as $$
begin
    insert into public.waiver_template_versions
           (template_id, version, company_id, name, description, content, form, saved_by, saved_by_name)
    values (new.id, new.version, new.company_id, new.name, new.description, new.content, new.form, auth.uid(),
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
-- being sent. A text written for a single sending has no version. Only the newest versions are compared: a company can save
-- any number of them, and comparing a text with all of them would keep a connection busy that guests need to sign. A session
-- that replaces another one has its version already.
create or replace function waivers.note_template_version() returns trigger
    language plpgsql security definer set search_path = '' as $$
declare
    max_versions constant int := 20;
begin
    new.template_version := (
        select newest.version
          from (select v.version, v.content, v.form from public.waiver_template_versions v
                 where v.template_id = new.template_id and (v.company_id is null or v.company_id = new.company_id)
                 order by v.version desc limit max_versions) newest
         where newest.content = new.template_content and newest.form is not distinct from new.form
         order by newest.version desc limit 1);
    return new;
end
$$;

create or replace trigger note_template_version before insert on waivers.sessions
    for each row when (new.template_version is null) execute function waivers.note_template_version();

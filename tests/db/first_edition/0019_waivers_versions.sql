-- Every save of a template is a version that stays as it was, and an archived template takes no new sessions.

create table public.waiver_template_versions (
    template_id   text not null references public.waiver_templates,
    version       int not null,
    company_id    uuid references public.companies,
    name          text not null,
    description   text not null,
    content       text not null,
    saved_at      timestamptz not null default now(),
    -- Their name as it was then: people leave, the history stays readable.
    saved_by      uuid,
    saved_by_name text,
    primary key (template_id, version)
);

alter table public.waiver_template_versions enable row level security;
create policy "company reads the versions of its own templates and of the samples" on public.waiver_template_versions
    for select to authenticated
    using (company_id = (select accounts.my_company())
           or (company_id is null and (select accounts.my_company()) is not null));
grant select on public.waiver_template_versions to authenticated, service_role;

-- Nobody was ever granted an update; this also stands in the way of our own mistakes.
create function waivers.keep_version() returns trigger
    language plpgsql as $$
begin
    raise exception 'A saved version is never changed.' using errcode = '42501';
end
$$;
create trigger keep_version before update on public.waiver_template_versions
    for each row execute function waivers.keep_version();

alter table public.waiver_templates
    add column archived_at timestamptz,
    add constraint samples_are_not_archived check (archived_at is null or company_id is not null);
grant update (archived_at) on public.waiver_templates to authenticated;

create or replace function waivers.check_template() returns trigger
    language plpgsql as $$
begin
    new.name := trim(new.name);
    if new.name is null or new.name = '' then
        raise exception 'Template name is required.' using errcode = 'PT400';
    end if;
    -- That it was archived is the caller's to say; when, is ours.
    new.archived_at := case when new.archived_at is not null then now() end;
    if tg_op = 'UPDATE' then
        if old.archived_at is not null and new.archived_at is not null then
            new.archived_at := old.archived_at;
        end if;
        if (new.name, new.description, new.content) is distinct from (old.name, old.description, old.content) then
            new.version := old.version + 1;
            new.updated_at := now();
        end if;
    end if;
    return new;
end
$$;

create function waivers.note_version() returns trigger
    language plpgsql security definer set search_path = '' as $$
begin
    insert into public.waiver_template_versions
           (template_id, version, company_id, name, description, content, saved_by, saved_by_name)
    values (new.id, new.version, new.company_id, new.name, new.description, new.content, auth.uid(),
            (select p.name from public.profiles p where p.id = auth.uid()));
    return null;
end
$$;
revoke execute on function waivers.note_version() from public;
create trigger note_first_version after insert on public.waiver_templates
    for each row execute function waivers.note_version();
create trigger note_next_version after update on public.waiver_templates
    for each row when (new.version <> old.version) execute function waivers.note_version();

-- What there is so far; what was overwritten before today is gone.
insert into public.waiver_template_versions (template_id, version, company_id, name, description, content, saved_at)
select id, version, company_id, name, description, content, updated_at from public.waiver_templates;

-- A session keeps the version whose words it shows, also when the template was saved again while it was being sent.
-- A text written for one sending has none.
create or replace function waivers.note_template_version() returns trigger
    language plpgsql security definer set search_path = '' as $$
begin
    new.template_version := (select v.version from public.waiver_template_versions v
                              where v.template_id = new.template_id and v.content = new.template_content
                              order by v.version desc limit 1);
    return new;
end
$$;

-- The sessions an archived template has live on, so a repeated request for one of them is answered as before.
create function waivers.refuse_archived() returns trigger
    language plpgsql security definer set search_path = '' as $$
begin
    if new.status = 'pending'
       and exists (select from public.waiver_templates t where t.id = new.template_id and t.archived_at is not null)
       and not exists (select from waivers.sessions s where s.id = new.id) then
        raise exception 'This waiver template is archived and takes no new signatures.' using errcode = 'PT409';
    end if;
    return new;
end
$$;
revoke execute on function waivers.refuse_archived() from public;
create trigger refuse_archived before insert on waivers.sessions
    for each row execute function waivers.refuse_archived();

alter policy "whoever names the exact id reads that template" on public.waiver_templates
    using (id = (select auth.asked_id()) and archived_at is null);

-- Templates: what a company writes once. Three samples belong to nobody and are seen by every company.

create schema waivers;
grant usage on schema waivers to anon, authenticated, service_role;

create table public.waiver_templates (
    -- At most 30 characters, so that no id of ours is ever taken for a session's.
    id          text primary key default 'tpl-' || left(replace(gen_random_uuid()::text, '-', ''), 24)
                check (length(id) <= 30 or company_id is null),
    company_id  uuid references public.companies default accounts.my_company(),
    name        text not null check (length(name) <= 200),
    description text not null default '' check (length(description) <= 2000),
    content     text not null default '' check (length(content) <= 200000),
    version     int not null default 1,
    created_at  timestamptz not null default now(),
    updated_at  timestamptz not null default now()
);
create index waiver_templates_company_idx on public.waiver_templates (company_id, created_at desc);

alter table public.waiver_templates enable row level security;
create policy "company reads its own templates and the samples" on public.waiver_templates
    for select to authenticated
    using (company_id = (select accounts.my_company())
           or (company_id is null and (select accounts.my_company()) is not null));
create policy "whoever names the exact id reads that template" on public.waiver_templates
    for select to anon, authenticated using (id = (select auth.asked_id()));
create policy "company writes its own templates" on public.waiver_templates
    for insert to authenticated with check (company_id = (select accounts.my_company()));
create policy "company edits its own templates" on public.waiver_templates
    for update to authenticated using (company_id = (select accounts.my_company()));

grant select on public.waiver_templates to anon, authenticated;
grant insert (id, company_id, name, description, content) on public.waiver_templates to authenticated;
grant update (name, description, content) on public.waiver_templates to authenticated;
grant select, insert, update, delete on public.waiver_templates to service_role;

create function waivers.check_template() returns trigger
    language plpgsql as $$
begin
    new.name := trim(new.name);
    if new.name is null or new.name = '' then
        raise exception 'Template name is required.' using errcode = 'PT400';
    end if;
    if tg_op = 'UPDATE' then
        new.version := old.version + (new.content is distinct from old.content or new.name is distinct from old.name)::int;
        new.updated_at := now();
    end if;
    return new;
end
$$;
create trigger check_template before insert or update on public.waiver_templates
    for each row execute function waivers.check_template();

insert into public.waiver_templates (id, company_id, name, description, content) values
('template-general-liability', null, 'General Liability Waiver',
 'For guided trips and activities where guests accept the ordinary risks of being outdoors.',
$$# Assumption of risk and release of liability

I, [PARTICIPANT NAME], have asked to take part in an activity run by [COMPANY NAME]. I have read this document and I understand it.

## The risks

Outdoor activities carry risks that care and skill cannot remove: uneven ground, water and weather, equipment that fails, the mistakes of other people and my own. They can lead to injury, illness, loss of property and, rarely, death. I accept these risks as mine.

## What I confirm

- I am fit to take part and have told [COMPANY NAME] about anything that might matter for my safety.
- I will follow the instructions of the guides and use the equipment as I am shown.
- I may stop at any time, and I will say so when something feels unsafe.

## Release

As far as the law allows, I release [COMPANY NAME], its owners, guides and staff from claims for loss or injury that arise from the ordinary risks of the activity. This release does not cover harm caused by gross negligence or on purpose.

## Agreement

I sign this freely. I know that I am giving up certain rights by signing, and that I may ask questions before I do.$$),
('template-photography-release', null, 'Photography Release',
 'Permission to use photographs and video taken during the activity.',
$$# Photography and video release

During the activity [COMPANY NAME] may take photographs and video in which I can be recognised.

I, [PARTICIPANT NAME], agree that [COMPANY NAME] may use these recordings:

- on its website and in its social media,
- in printed material and advertisements for its own services.

## What I can expect

- My name is not published beside a picture unless I agree to it separately.
- Recordings are not sold to others.
- I may withdraw this permission for the future at any time by writing to [COMPANY NAME]; recordings already printed may be used up.

I receive no payment for this permission.$$),
('template-medical-emergency-authorization', null, 'Medical Emergency Authorization',
 'Lets guides arrange medical help when a guest cannot speak for themselves.',
$$# Medical emergency authorization

If I am hurt or ill during the activity and cannot decide for myself, I, [PARTICIPANT NAME], authorize [COMPANY NAME] to:

- give first aid within the training of its staff,
- call emergency services and have me taken to a doctor or hospital,
- tell medical staff what they need to know about what happened.

## Costs

I understand that [COMPANY NAME] does not pay for rescue, transport or treatment, and that these costs are mine or my insurer's.

## What guides should know

I have told [COMPANY NAME] about allergies, medicines and conditions that matter in an emergency, and I will tell it when something changes.$$);

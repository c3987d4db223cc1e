-- Tells whether the time zone was chosen, or is still the default. The browser offers its own zone only until then. Companies that
-- have another zone than the default have chosen it.
alter table public.companies add column time_zone_is_set boolean not null default false;
update public.companies set time_zone_is_set = true where time_zone <> 'UTC';

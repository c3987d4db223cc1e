-- A planned erasure that no longer applies is kept as dropped, so that the company still gets at most one report a week.
alter table waivers.planned_erasures add column is_dropped boolean not null default false;

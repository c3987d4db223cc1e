-- After how many months the signed waivers of the company are erased. Null keeps them.
alter table public.companies add column keep_waivers_months int check (keep_waivers_months between 1 and 1200);
grant update (keep_waivers_months) on public.companies to authenticated;

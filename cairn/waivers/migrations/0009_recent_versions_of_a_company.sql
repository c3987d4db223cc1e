-- Before a template is saved, the versions that its company has saved in the last day are added up.
create index waiver_template_versions_recent_idx on public.waiver_template_versions (company_id, saved_at);

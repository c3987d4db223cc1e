-- Emails about a waiver are kept as long as the waiver, so an index of all emails by age would find more and more of them. This
-- one contains only those that are deleted by their age.
drop index public.emails_age_idx;
create index emails_to_delete_idx on public.emails (created_at)
    where secret or (session_id is null and about_id is null and attachment_id is null);

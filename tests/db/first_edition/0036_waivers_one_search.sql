-- The directory searches signed records and pending sessions in one list, so the two searches before it are not asked.
drop function public.search_waiver_sessions, public.search_signed_waivers;
drop function waivers.found_sessions, waivers.found_signed;

-- Of sessions only the pending ones are searched: what is signed is found by its record, and signing need not write the
-- letters of the session a second time.
drop index waivers.sessions_search_idx;
create index sessions_search_idx on waivers.sessions using gin
    (waivers.search_keys(company_id, waivers.search_words(recipient_name, recipient_email, template_name)))
    where status = 'pending';

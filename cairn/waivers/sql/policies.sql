create policy "company reads its own templates and the samples" on public.waiver_templates
    for select to authenticated
    using (company_id = (select accounts.my_company())
           or (company_id is null and (select accounts.my_company()) is not null));

create policy "a caller with the exact id reads that template" on public.waiver_templates
    for select to anon, authenticated_by_id using (id = (select auth.requested_id()) and archived_at is null);

create policy "company writes its own templates" on public.waiver_templates
    for insert to authenticated with check (company_id = (select accounts.my_company()));

create policy "company edits its own templates" on public.waiver_templates
    for update to authenticated using (company_id = (select accounts.my_company()));

create policy "company reads its own sessions" on waivers.sessions
    for select to authenticated using (company_id = (select accounts.my_company()));

create policy "a caller with the exact id reads that session" on waivers.sessions
    for select to anon, authenticated_by_id using (id = (select auth.requested_uuid()));

create policy "company reads its own signed waivers" on waivers.signed
    for select to authenticated using (company_id = (select accounts.my_company()));

create policy "company reads its own audit events" on waivers.audit_events
    for select to authenticated using (company_id = (select accounts.my_company()));

create policy "company reads its own sendings" on public.sent_waivers
    for select to authenticated using (company_id = (select accounts.my_company()));

create policy "company records its own sendings" on public.sent_waivers
    for insert to authenticated with check (
        company_id = (select accounts.my_company())
        and exists (select from waivers.sessions s
                     where s.id = session_id and s.company_id = (select accounts.my_company())));

create policy "everyone reads the consent texts" on public.consent_texts
    for select to anon, authenticated using (true);

create policy "company reads versions of its own templates and of the samples" on public.waiver_template_versions
    for select to authenticated
    using (company_id = (select accounts.my_company())
           or (company_id is null and (select accounts.my_company()) is not null));

create policy "company reads its own reminders" on waivers.reminders
    for select to authenticated using (company_id = (select accounts.my_company()));

create policy "company reads who has stopped its reminders" on waivers.reminder_refusals
    for select to authenticated using (company_id = (select accounts.my_company()));

create policy "company reads its own heads" on waivers.chain_heads
    for select to authenticated using (company_id = (select accounts.my_company()));

create policy "company reads the entries of its own heads" on waivers.head_entries
    for select to authenticated using (exists (select from waivers.chain_heads h where h.id = head_id));

create policy "company reads the timestamps of its own heads" on waivers.head_timestamps
    for select to authenticated using (exists (select from waivers.chain_heads h where h.id = head_id));

create policy "company reads the erasure requests of its guests" on waivers.erasure_requests
    for select to authenticated using (company_id = (select accounts.my_company()));

create policy "people read their own erasure requests" on waivers.erasure_requests
    for select to authenticated using (user_id = (select auth.uid()));

create policy "company reads its own planned erasures" on waivers.planned_erasures
    for select to authenticated using (company_id = (select accounts.my_company()));

create policy "company reads the participants of its own waivers" on waivers.participants
    for select to authenticated using (company_id = (select accounts.my_company()));

create policy "company reads the sensitive answers in its own waivers" on waivers.sensitive_answers
    for select to authenticated
    using (company_id = (select accounts.my_company()) and (select waivers.may_read_sensitive_answers()));

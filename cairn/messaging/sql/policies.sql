create policy "company reads its own emails" on public.emails
    for select to authenticated using (company_id = (select accounts.my_company()));

create policy "company reads its own notifications" on public.notifications
    for select to authenticated using (company_id = (select accounts.my_company()));

create policy "company marks its own notifications" on public.notifications
    for update to authenticated using (company_id = (select accounts.my_company()));

create policy "company clears its own notifications" on public.notifications
    for delete to authenticated using (company_id = (select accounts.my_company()));

create policy "company reads its own email configuration" on messaging.configurations
    for select to authenticated using (company_id = (select accounts.my_company()));

create policy "company reads its own text messages" on public.text_messages
    for select to authenticated using (company_id = (select accounts.my_company()));

create policy "company reads its own suppressions" on messaging.suppressions
    for select to authenticated using (company_id = (select accounts.my_company()));

create policy "company reads its own endpoints" on integrations.endpoints
    for select to authenticated using (company_id = (select accounts.my_company()));

create policy "company names and pauses its own endpoints" on integrations.endpoints
    for update to authenticated using (company_id = (select accounts.my_company()));

create policy "company removes its own endpoints" on integrations.endpoints
    for delete to authenticated using (company_id = (select accounts.my_company()));

create policy "company reads its own deliveries" on integrations.deliveries
    for select to authenticated using (company_id = (select accounts.my_company()));

create policy "users read their own trial" on billing.trials
    for select to authenticated using (user_id = (select auth.uid()));

create policy "company reads its own billing customer" on billing.customers
    for select to authenticated using (company_id = (select accounts.my_company()));

create policy "users read their own billing customer" on billing.customers
    for select to authenticated using (user_id = (select auth.uid()));

create policy "company or user reads their own subscriptions" on billing.subscriptions
    for select to authenticated using (customer_id in (select id from billing.customers));

create policy "company or user reads their own invoices" on billing.invoices
    for select to authenticated using (customer_id in (select id from billing.customers));

create policy "company reads how many waivers it has sent" on billing.sendings_by_month
    for select to authenticated using (company_id = (select accounts.my_company()));

create policy "people read their own company" on public.companies
    for select to authenticated using (id = (select accounts.my_company()));

create policy "people read themselves and their colleagues" on public.profiles
    for select to authenticated using (id = (select auth.uid()) or company_id = (select accounts.my_company()));

create policy "people edit themselves" on public.profiles
    for update to authenticated using (id = (select auth.uid()));

create policy "people edit their own company" on public.companies
    for update to authenticated using (id = (select accounts.my_company()));

create policy "people read the subscriptions of their own browsers" on public.push_subscriptions
    for select to authenticated using (user_id = (select auth.uid()));

create policy "people subscribe their own browsers" on public.push_subscriptions
    for insert to authenticated with check (user_id = (select auth.uid()));

create policy "people unsubscribe their own browsers" on public.push_subscriptions
    for delete to authenticated using (user_id = (select auth.uid()));

create policy "company reads its own activities" on public.activities
    for select to authenticated using (company_id = (select accounts.my_company()));

create policy "company adds its own activities" on public.activities
    for insert to authenticated with check (company_id = (select accounts.my_company()));

create policy "company edits its own activities" on public.activities
    for update to authenticated using (company_id = (select accounts.my_company()));

create policy "company reads its own trips" on public.trips
    for select to authenticated using (company_id = (select accounts.my_company()));

create policy "company plans its own trips" on public.trips
    for insert to authenticated with check (company_id = (select accounts.my_company()));

create policy "company edits its own trips" on public.trips
    for update to authenticated using (company_id = (select accounts.my_company()));

create policy "company reads its own bookings" on public.bookings
    for select to authenticated using (company_id = (select accounts.my_company()));

create policy "company adds its own bookings" on public.bookings
    for insert to authenticated with check (company_id = (select accounts.my_company()));

create policy "company edits its own bookings" on public.bookings
    for update to authenticated using (company_id = (select accounts.my_company()));

create policy "company reads the sessions of its own bookings" on trips.booking_sessions
    for select to authenticated using (company_id = (select accounts.my_company()));

create policy "company reads its own check-ins" on public.checkins
    for select to authenticated using (company_id = (select accounts.my_company()));

create policy "company checks in its own participants" on public.checkins
    for insert to authenticated with check (company_id = (select accounts.my_company()));

create policy "company undoes its own check-ins" on public.checkins
    for delete to authenticated using (company_id = (select accounts.my_company()));

create policy "company reads its own log of check-ins" on public.checkin_log
    for select to authenticated using (company_id = (select accounts.my_company()));

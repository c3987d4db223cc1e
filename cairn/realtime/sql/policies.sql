-- Each company may use the private channels with its own topics.

create policy "people of a company listen on its own topics" on realtime.messages
    for select to authenticated using (accounts.is_my_companys_topic((select realtime.topic())));

create policy "people of a company speak on its own topics" on realtime.messages
    for insert to authenticated with check (accounts.is_my_companys_topic((select realtime.topic())));

-- Deletes up to `up_to` rows of each table about a company that is deleted, and returns how many these were.
create or replace function messaging.delete_company_data(company uuid, up_to int) returns bigint
    language plpgsql security definer set search_path = '' as $$
declare
    notification public.notifications;
    deleted      bigint;
    total        bigint := 0;
begin
    delete from public.emails e
     where e.id in (select n.id from public.emails n where n.company_id = company limit up_to);
    get diagnostics deleted = row_count;
    total := total + deleted;
    delete from public.text_messages t
     where t.id in (select n.id from public.text_messages n where n.company_id = company limit up_to);
    get diagnostics deleted = row_count;
    total := total + deleted;
    for notification in delete from public.notifications n
                         where n.id in (select o.id from public.notifications o where o.company_id = company limit up_to)
                        returning * loop
        perform jobs.delete_notification_events(notification.id);
        total := total + 1;
    end loop;
    delete from messaging.configurations c where c.company_id = company;
    delete from messaging.sent_today s where s.company_id = company;
    delete from messaging.suppressions s where s.company_id = company;
    return total;
end
$$;
grant execute on function messaging.delete_company_data to service_role;

-- Returns what this package stores about a person, for their own export: one entry for each row, and at most 1,000 entries of a
-- list on one page. `sessions` are the ids of the sessions that were sent to them.
create or replace function billing.person_data(address text, person uuid, sessions uuid[], page int)
    returns table (list text, entry jsonb)
    language sql stable security definer set search_path = ''
    begin atomic
        with payers as (
            select c.* from billing.customers c
             where c.user_id = person or c.email = address and c.user_id is null and c.company_id is null)
        (select 'trial', to_jsonb(t) - 'user_id' from billing.trials t where t.user_id = person and page = 0)
        union all
        (select 'payers', to_jsonb(p) - 'user_id' from payers p order by p.id limit 1000 offset 1000 * page)
        union all
        (select 'orders', to_jsonb(o) - array['user_id', 'network']
           from billing.checkouts o where o.user_id = person order by o.created_at, o.id limit 1000 offset 1000 * page)
        union all
        (select 'subscriptions', to_jsonb(s)
           from billing.subscriptions s where s.customer_id in (select id from payers)
          order by s.created_at, s.id limit 1000 offset 1000 * page)
        union all
        (select 'invoices', to_jsonb(i)
           from billing.invoices i where i.customer_id in (select id from payers)
          order by i.issued_at, i.id limit 1000 offset 1000 * page)
        union all
        (select 'counted_sendings', jsonb_build_object('session_id', n.session_id, 'recipient', n.recipient, 'month', n.month)
           from billing.counted_sendings n where n.session_id = any (sessions) and n.recipient = address
          order by n.session_id limit 1000 offset 1000 * page);
    end;
grant execute on function billing.person_data to service_role;

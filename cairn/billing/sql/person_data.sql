-- Returns what this package stores about a person, for their own export. `sessions` are the waivers that were sent to them.
create or replace function billing.person_data(address text, person uuid, sessions uuid[]) returns jsonb
    language sql stable security definer set search_path = ''
    begin atomic
        with payers as (
            select c.* from billing.customers c
             where c.user_id = person or c.email = address and c.user_id is null and c.company_id is null)
        select jsonb_build_object(
            'trial', (select jsonb_agg(to_jsonb(t) - 'user_id') from billing.trials t where t.user_id = person),
            'payers', (select jsonb_agg(to_jsonb(p) - 'user_id') from payers p),
            'orders', (select jsonb_agg(to_jsonb(o) - array['user_id', 'network'] order by o.created_at)
                         from billing.checkouts o where o.user_id = person),
            'subscriptions', (select jsonb_agg(to_jsonb(s) order by s.created_at)
                                from billing.subscriptions s where s.customer_id in (select id from payers)),
            'invoices', (select jsonb_agg(to_jsonb(i) order by i.issued_at)
                           from billing.invoices i where i.customer_id in (select id from payers)),
            'counted_sendings', (select jsonb_agg(jsonb_build_object('session_id', n.session_id, 'recipient', n.recipient,
                                                                     'month', n.month))
                                   from billing.counted_sendings n
                                  where n.session_id = any (sessions) and n.recipient = address));
    end;
revoke execute on function billing.person_data from public;
grant execute on function billing.person_data to service_role;

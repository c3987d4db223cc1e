-- Returns the users who may see rows of this company in the table, or null if other users might see them too. Live changes are
-- checked only for these users and not for the dashboards of all companies, so every user who may see a row must be in the list.
-- Therefore the condition of the policies must be exactly one of the two below, which the tables of the product have. Both
-- compare the company of the row with the company of the caller's profile. With any other policy the result is null.
create or replace function realtime.possible_readers(relation regclass, company text) returns uuid[]
    language sql stable strict security definer set search_path = '' as $$
    select case when realtime.rule(relation, 'authenticated', 'r') in (
               '(((company_id = ( SELECT accounts.my_company() AS my_company))))',
               '((((company_id = ( SELECT accounts.my_company() AS my_company)) OR '
               '((company_id IS NULL) AND (( SELECT accounts.my_company() AS my_company) IS NOT NULL)))))')
           then array(select p.user_id from accounts.people p where p.company_id = company::uuid) end
$$;
grant execute on function realtime.possible_readers to service_role;

-- Returns the company of a new row. For a signed-in person it is always their own: a person who names another company must not learn from
-- an error what that company has. The server itself may add rows for any company.
create or replace function trips.owner(company uuid) returns uuid
    language sql stable set search_path = ''
    return case when auth.role() = 'authenticated' then accounts.my_company() else company end;

-- On which websites a company's signing pages may stand in a frame.

-- Each goes into a header as it is, so nothing passes that could end it.
create function accounts.are_websites(origins text[]) returns boolean
    language sql immutable parallel safe
    return coalesce(array_ndims(origins), 1) = 1
       and (select coalesce(bool_and(origin is not null and length(origin) <= 260
                                     and origin ~ '^https?://[a-z0-9]([a-z0-9.-]*[a-z0-9])?(:[0-9]{1,5})?$'), true)
              from unnest(origins) origin);

alter table public.companies
    -- Origins such as https://rio.example. A star alone is any website, an empty list is none.
    add column framed_by text[] not null default '{*}'
        check (framed_by = '{*}' or (cardinality(framed_by) <= 20 and accounts.are_websites(framed_by)));
grant update (framed_by) on public.companies to authenticated;

-- Asked for whoever opens the page, who may not read the company. Null where there is no such company.
create function accounts.framed_by(company uuid) returns text[]
    language sql stable security definer set search_path = ''
    begin atomic
        select c.framed_by from public.companies c where c.id = $1;
    end;

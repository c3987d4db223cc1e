-- The origins are written into a response header unescaped, so nothing that could end the header is accepted.
create or replace function accounts.are_websites(origins text[]) returns boolean
    language sql immutable parallel safe
    return coalesce(array_ndims(origins), 1) = 1
       and (select coalesce(bool_and(origin is not null and length(origin) <= 260
                                     and origin ~ '^https?://[a-z0-9]([a-z0-9.-]*[a-z0-9])?(:[0-9]{1,5})?$'), true)
              from unnest(origins) origin);
grant execute on function accounts.are_websites to public;

-- Returns the websites that may show the company's signing pages in a frame, or null if the company does not exist.
-- Called for visitors of a signing page, who may not read the company.
create or replace function accounts.framed_by(company uuid) returns text[]
    language sql stable security definer set search_path = ''
    begin atomic
        select c.framed_by from public.companies c where c.id = $1;
    end;
grant execute on function accounts.framed_by to public;

-- Who is calling is read from the claims once, and not again for every profile that a short table makes Postgres read.
create or replace function accounts.my_company() returns uuid
    language sql stable security definer set search_path = ''
    begin atomic
        select company_id from public.profiles where id = (select auth.uid());
    end;

-- The same rules for a signature, asked so that Postgres walks through its ten thousand letters once.

create or replace function waivers.check_signature(signature text) returns void
    language plpgsql immutable as $$
declare
    head bytea;
begin
    -- Counted in bytes: letters would have to be found first, and a picture in base64 has none but of one byte.
    if octet_length(signature) > 700000 then
        raise exception 'The signature is too large.' using errcode = 'PT400';
    end if;
    -- Whole groups of four, filled up only at the end, are what can be decoded; the head is all that is looked at here.
    if octet_length(signature) < 22 + 60 or (octet_length(signature) - 22) % 4 <> 0
       or signature !~ '^data:image/png;base64,[A-Za-z0-9+/]+={0,2}$' then
        raise exception 'The signature must be a PNG image.' using errcode = 'PT400';
    end if;
    head := decode(substr(signature, 23, 32), 'base64');
    if substr(head, 1, 8) <> '\x89504e470d0a1a0a' or substr(head, 13, 4) <> convert_to('IHDR', 'UTF8') then
        raise exception 'The signature must be a PNG image.' using errcode = 'PT400';
    end if;
    -- Sixteen bits of each side must be zero, and no side longer than 4,096 dots.
    if substr(head, 17, 2) <> '\x0000' or substr(head, 19, 2) > '\x1000'
       or substr(head, 21, 2) <> '\x0000' or substr(head, 23, 2) > '\x1000' then
        raise exception 'The signature is too large.' using errcode = 'PT400';
    end if;
end
$$;

-- What they call is stable, so calling them immutable kept Postgres from writing them into the hash they are part of.
alter function waivers.field_hash(text) stable;
alter function waivers.utc(timestamptz) stable;

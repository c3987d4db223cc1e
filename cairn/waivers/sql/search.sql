-- The directory finds any part of a name, an email address or a template name. The index over the trigrams of this text
-- needs no extension. The company is one of its keys, so that a search never visits rows of another company.
create or replace function waivers.search_text(name text, email text, template text) returns text
    language sql immutable parallel safe
    return lower(coalesce(name, '') || E'\n' || coalesce(email, '') || E'\n' || coalesce(template, ''));
grant execute on function waivers.search_text to public;

create or replace function waivers.search_keys(company uuid, content text) returns text[]
    language plpgsql immutable parallel safe as $$
declare
    keys text[] := array[company::text];
begin
    -- This is a loop, because a single query takes three times as long, and this function runs for every signature.
    for place in 1 .. length(content) - 2 loop
        keys := keys || substr(content, place, 3);
    end loop;
    return keys;
end
$$;
grant execute on function waivers.search_keys to public;

-- Returns the term in the form of `search_text`. Only its first 200 characters count, because every further trigram costs
-- time.
create or replace function waivers.search_term(term text) returns text
    language sql immutable parallel safe
    return lower(left(trim(term), 200));
grant execute on function waivers.search_term to public;

-- Returns the sort key of a name. It ignores case and accents and gives the same order on every server, whatever its
-- locale.
create or replace function waivers.name_key(name text) returns text
    language sql immutable parallel safe
    return lower(regexp_replace(normalize(name, nfd), U&'[\0300-\036F]', '', 'g'));
grant execute on function waivers.name_key to public;

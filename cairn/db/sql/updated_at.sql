create or replace function cairn.touch_updated_at() returns trigger
    language plpgsql as $$
begin
    new.updated_at := now();
    return new;
end
$$;
grant execute on function cairn.touch_updated_at to public;

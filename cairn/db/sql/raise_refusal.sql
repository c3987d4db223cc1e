-- Raises the refusal with this code. `refusals` maps each code of a package to its SQLSTATE, which decides the HTTP status,
-- and to its message for developers who read the response itself. The code and the parameters become
-- the DETAIL of the PostgreSQL error, which the REST service returns as `details`.
--
-- An entry with the SQLSTATE 'PGRST' also has an HTTP status. The REST service then returns the code of the refusal as `code`
-- and the parameters as `details`.
create or replace function cairn.raise_refusal(code text, parameters jsonb, refusals jsonb) returns void
    language plpgsql set search_path = '' as $$
declare
    sqlstate_and_message jsonb;
    error_message        text;
    parameter            record;
begin
    select value into strict sqlstate_and_message from jsonb_each(refusals) where key = code;
    error_message := sqlstate_and_message ->> 1;
    for parameter in select key, value from jsonb_each_text(parameters) loop
        error_message := replace(error_message, '{' || parameter.key || '}', parameter.value);
    end loop;
    if sqlstate_and_message ->> 0 = 'PGRST' then
        raise exception using
            errcode = 'PGRST',
            message = jsonb_build_object('code', code, 'message', error_message, 'details', parameters),
            detail = jsonb_build_object('status', sqlstate_and_message -> 2, 'headers', '{}'::jsonb);
    end if;
    raise exception using
        errcode = sqlstate_and_message ->> 0,
        message = error_message,
        detail = jsonb_build_object('code', code, 'parameters', parameters);
end
$$;

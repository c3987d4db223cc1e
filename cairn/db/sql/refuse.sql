-- Raises an error with a stable code. The REST service returns the detail as `details`, from which clients read the
-- code and its parameters. The message is for developers who read the response itself. Each package lists its codes in
-- its refusals.sql, together with the SQLSTATE that determines the HTTP status.
create or replace function cairn.refuse(code text, parameters jsonb, error_state text, error_message text) returns void
    language plpgsql set search_path = '' as $$
declare
    parameter record;
begin
    for parameter in select key, value from jsonb_each_text(parameters) loop
        error_message := replace(error_message, '{' || parameter.key || '}', parameter.value);
    end loop;
    raise exception using
        errcode = error_state,
        message = error_message,
        detail = jsonb_build_object('code', code, 'parameters', parameters);
end
$$;
revoke execute on function cairn.refuse from public;

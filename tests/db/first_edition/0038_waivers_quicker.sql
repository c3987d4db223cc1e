-- Whoever has no account belongs to no company: most signers, and for them it is not looked up.
create or replace function waivers.request_facts() returns jsonb
    language sql stable
    return jsonb_strip_nulls(jsonb_build_object(
        'ip', nullif(current_setting('request.ip', true), ''),
        'user_agent', nullif(current_setting('request.user_agent', true), ''),
        'by', auth.uid(),
        'by_company', case when auth.uid() is not null then accounts.my_company() end));

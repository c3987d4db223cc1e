-- Whose account was signed in where a request came from: a signature made at the company's own desk says so.
create or replace function waivers.request_facts() returns jsonb
    language sql stable
    return jsonb_strip_nulls(jsonb_build_object(
        'ip', nullif(current_setting('request.ip', true), ''),
        'user_agent', nullif(current_setting('request.user_agent', true), ''),
        'by', auth.uid(),
        'by_company', accounts.my_company()));

-- Nobody signs nothing: a session whose template had no words cannot be signed.
create function waivers.refuse_no_words() returns trigger
    language plpgsql as $$
begin
    raise exception 'Could not find the waiver template for this session.' using errcode = 'PT404';
end
$$;
create trigger refuse_no_words before insert on waivers.signed
    for each row when (trim(new.content) = '') execute function waivers.refuse_no_words();

-- The mails that carry a document, asked for by the signer who waits for theirs.
create index emails_attachment_idx on public.emails (attachment_id, created_at desc) where attachment_id is not null;

create or replace function messaging.email_requested() returns trigger
    language plpgsql security definer set search_path = '' as $$
begin
    perform jobs.raise_event('email.requested', jsonb_build_object('email_id', new.id));
    return null;
end
$$;

create or replace trigger email_requested after insert on public.emails
    for each row execute function messaging.email_requested();

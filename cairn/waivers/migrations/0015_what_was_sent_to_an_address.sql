-- People export what was sent to their address. An index of the pending sessions exists already.
create index sessions_closed_of_recipient_idx on waivers.sessions (recipient_email)
    where status in ('signed', 'cancelled') and recipient_email is not null;
create index sent_waivers_recipient_idx on public.sent_waivers (lower(recipient_email), sent_at desc);
create index reminder_refusals_email_idx on waivers.reminder_refusals (email);

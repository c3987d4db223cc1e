-- Tables of later packages use auth.uid(), which calls this function.
-- define function auth.session_is_sufficient

-- A sign-up by phone and a sign-in by phone have different purposes, because only the first keeps the password.
alter table auth.one_time_tokens drop constraint one_time_tokens_purpose_check;
alter table auth.one_time_tokens add constraint one_time_tokens_purpose_check check (purpose in (
    'signup', 'invite', 'magiclink', 'recovery', 'email_change_current', 'email_change_new',
    'phone_signup', 'sms', 'phone_change', 'reauthentication'));

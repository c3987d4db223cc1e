-- A call for help from somebody who is signed in: what it is about, and perhaps which waiver.
alter table inquiries.messages
    add column subject text not null default '' check (length(subject) <= 200),
    add column waiver  text not null default '' check (waiver ~ '^([0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9a-f]{8})?$');

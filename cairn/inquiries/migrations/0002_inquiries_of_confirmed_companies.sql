-- Messages of companies with a confirmed address have a separate limit, because anyone can create the other ones.
alter table inquiries.messages add column is_confirmed boolean not null default false;
comment on column inquiries.messages.is_confirmed is 'True if the sender was signed in to a company with a confirmed address.';

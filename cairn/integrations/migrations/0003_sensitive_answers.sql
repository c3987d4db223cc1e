-- Answers to sensitive questions, for example about health, are sent only to endpoints for which the company has chosen that.
alter table integrations.endpoints add column send_sensitive boolean not null default false;
grant select (send_sensitive) on integrations.endpoints to authenticated;

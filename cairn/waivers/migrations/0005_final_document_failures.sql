-- The document of a text that is too long for the renderer is not tried again.
alter table waivers.document_failures add column is_final boolean not null default false;

-- The size of the document. Null while there is none, and for documents that were made before this column existed.
alter table waivers.signed add column document_bytes int check (document_bytes > 0);

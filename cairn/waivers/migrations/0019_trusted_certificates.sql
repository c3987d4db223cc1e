-- Shows that a server of this deployment listed the certificate: an HMAC with a key that is not in the database.
-- Certificates that an earlier version listed get it when a server starts whose data folder contains them.
alter table waivers.seal_certificates add column mac bytea;
grant update (pem, mac) on waivers.seal_certificates to service_role;

-- Other packages read signed waivers only through this view.
create or replace view waivers.signed_summary with (security_invoker = true) as
    select id as waiver_id, session_id, company_id, template_id, template_name, template_version,
           signer_name, signer_email, signed_at, encode(record_sha256, 'hex') as record_sha256,
           erased_at is not null as is_erased
      from waivers.signed;
grant select on waivers.signed_summary to service_role;

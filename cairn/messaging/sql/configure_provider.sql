-- This view shows every column except the encrypted keys.
create or replace view public.email_configurations with (security_invoker = true) as
    select company_id, provider, has_api_key, custom_endpoint, sender_email, failing_since, last_error, updated_at,
           has_report_key
      from messaging.configurations;
grant select on public.email_configurations to authenticated, service_role;

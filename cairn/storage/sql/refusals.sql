-- The refusals of this package. Runs with the owner's privileges, because callers have no access to schema `cairn`.
create or replace function storage.refuse(code text, parameters jsonb default '{}') returns void
    language plpgsql security definer set search_path = '' as $$
declare
    refusal record;
begin
    select * into strict refusal from (values
        ('bucket_protection_is_final', '42501', 'What a bucket promised cannot be taken back'),
        ('object_is_final',            '42501', 'Objects of this bucket can be neither replaced nor deleted')
    ) as listed (code, error_state, error_message) where listed.code = refuse.code;
    perform cairn.refuse(code, parameters, refusal.error_state, refusal.error_message);
end
$$;

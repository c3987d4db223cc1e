-- The name of the document of a waiver is <company id>/<waiver id>.pdf.
create policy "company reads its own signed waivers" on storage.objects
    for select to authenticated
    using (bucket_id = 'signed-waivers' and path_tokens[1] = (select accounts.my_company())::text);

-- The name of a picture starts with <user id>/. The bucket is public, so anyone who knows the URL can read a picture.
create policy "people see their own pictures" on storage.objects
    for select to authenticated
    using (bucket_id = 'profile-pictures' and path_tokens[1] = (select auth.uid())::text);

create policy "people add their own pictures" on storage.objects
    for insert to authenticated
    with check (bucket_id = 'profile-pictures' and (storage.foldername(name))[1] = (select auth.uid())::text);

create policy "people replace their own pictures" on storage.objects
    for update to authenticated
    using (bucket_id = 'profile-pictures' and path_tokens[1] = (select auth.uid())::text)
    with check (bucket_id = 'profile-pictures' and (storage.foldername(name))[1] = (select auth.uid())::text);

create policy "people remove their own pictures" on storage.objects
    for delete to authenticated
    using (bucket_id = 'profile-pictures' and path_tokens[1] = (select auth.uid())::text);

-- The copies of a template in a session and in a sending are as long as the template can be. Longer ones, which no page sends,
-- are cut, so that their rows can still be updated. The columns of signed records stay as they are.
update public.sent_waivers set template_content = left(template_content, 200000) where octet_length(template_content) > 200000;
update public.sent_waivers
   set template_id = left(template_id, 200), template_name = left(template_name, 400),
       recipient_name = left(recipient_name, 400), recipient_email = left(recipient_email, 320)
 where length(template_id) > 200 or length(template_name) > 400
    or length(recipient_name) > 400 or length(recipient_email) > 320;
update waivers.sessions set template_id = left(template_id, 200), template_name = left(template_name, 400)
 where length(template_id) > 200 or length(template_name) > 400;

-- Not validated, because reading every text again would take long in a large database.
alter table public.sent_waivers
    add constraint texts_have_a_maximum_length
        check (length(template_id) <= 200 and length(template_name) <= 400 and length(template_content) <= 200000
               and length(recipient_name) <= 400 and length(recipient_email) <= 320) not valid;
alter table waivers.sessions
    add constraint names_have_a_maximum_length check (length(template_id) <= 200 and length(template_name) <= 400) not valid;

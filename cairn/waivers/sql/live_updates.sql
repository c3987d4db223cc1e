-- Changes to these tables appear in open browser windows.

create or replace trigger note_change after insert on waivers.signed
    for each row execute function realtime.note_change('public', 'signed_waivers', 'key');

create or replace trigger note_change after insert on public.sent_waivers
    for each row execute function realtime.note_change('public', 'sent_waivers', 'key');

create or replace trigger note_change after insert or update or delete on public.waiver_templates
    for each row execute function realtime.note_change('public', 'waiver_templates', 'row');

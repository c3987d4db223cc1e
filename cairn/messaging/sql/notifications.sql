-- Notifications appear in open browser windows without reloading.
create or replace trigger note_change after insert or update or delete on public.notifications
    for each row execute function realtime.note_change('public', 'notifications', 'row');

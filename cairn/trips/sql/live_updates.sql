-- Changes to these tables appear in open browser windows of their company.

create or replace trigger note_change after insert or update on public.activities
    for each row execute function realtime.note_change('public', 'activities', 'key', 'company_id');

create or replace trigger note_change after insert or update on public.trips
    for each row execute function realtime.note_change('public', 'trips', 'key', 'company_id');

create or replace trigger note_change after insert or update on public.bookings
    for each row execute function realtime.note_change('public', 'bookings', 'key', 'company_id');

-- An undone check-in has no row any more, so the outbox contains the whole row.
create or replace trigger note_change after insert or update or delete on public.checkins
    for each row execute function realtime.note_change('public', 'checkins', 'row');

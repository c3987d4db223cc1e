-- Raises one of the refusals that this package lists here. Runs with the owner's privileges, because callers have no
-- access to schema `cairn`.
create or replace function trips.refuse(code text, parameters jsonb default '{}') returns void
    language sql security definer set search_path = ''
    return cairn.raise_refusal(code, parameters, $${
        "activity_name_required":  ["PGRST", "Please enter a name for the activity, with at most 200 characters.", 400],
        "activity_not_found":      ["PGRST", "Could not find this activity.", 404],
        "activity_archived":       ["PGRST", "This activity is archived and takes no new trips.", 409],
        "too_many_activities":     ["PGRST", "A company can have at most {most} activities. Please change one that you no longer use.", 409],
        "templates_not_found":     ["PGRST", "An activity needs at most {most} different templates of your company.", 400],
        "trip_not_found":          ["PGRST", "Could not find this trip.", 404],
        "trip_cancelled":          ["PGRST", "This trip was cancelled.", 409],
        "trip_is_over":            ["PGRST", "This trip is long over, so it takes no bookings any more.", 409],
        "trip_is_full":            ["PGRST", "This trip has only {places} places left.", 409],
        "trip_times_invalid":      ["PGRST", "A trip ends after it starts, and lasts at most 60 days.", 400],
        "trip_date_out_of_range":  ["PGRST", "A trip starts at most five years ago and at most three years ahead.", 400],
        "trip_note_too_long":      ["PGRST", "A note can have at most 2,000 characters.", 400],
        "too_many_trips_a_day":    ["PGRST", "A company can have at most {most} trips on one day.", 409],
        "booking_text_too_long":   ["PGRST", "A name can have at most 400 characters, an email address 320, a phone number 40 and a reference 200.", 400],
        "contact_email_not_single": ["PGRST", "Please enter one email address, without brackets, quotes or commas.", 400],
        "too_many_bookings":       ["PGRST", "A trip can have at most {most} bookings.", 409],
        "booking_quota_reached":   ["PGRST", "Too many bookings were added today. Please try again tomorrow.", 429],
        "booking_is_checked_in":   ["PGRST", "People of this booking are checked in. Undo that before you move the booking.", 409],
        "group_link_not_found":    ["PGRST", "This link is not complete, or its booking no longer exists.", 404],
        "group_link_closed":       ["PGRST", "This link is closed, because the trip is over or the booking was cancelled.", 410],
        "group_link_used_too_often": ["PGRST", "This link was opened too often. Please contact the company.", 409],
        "template_not_needed":     ["PGRST", "This trip does not need this waiver.", 400],
        "readiness_is_computed":   ["PGRST", "Readiness follows from what was signed and cannot be written.", 403],
        "participant_not_on_trip": ["PGRST", "This participant is not on this trip.", 404],
        "participant_not_ready":   ["PGRST", "This participant is not ready: a waiver is missing, or they are too young.", 409]
    }$$);
grant execute on function trips.refuse to public;

-- When a reader last looked for events, whether or not there were any.
alter table jobs.readers add column read_at timestamptz;

-- A template written, revised or archived in one window is seen in every other window of the company.
select realtime.publish('public.waiver_templates');

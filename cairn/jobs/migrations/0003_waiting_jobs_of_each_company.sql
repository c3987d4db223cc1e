-- Finds the next job of each company without reading the others, of which one company may have a hundred thousand. The
-- expression is that of the function `jobs.company_of`.
create index waiting_jobs_idx on jobs.procrastinate_jobs
    (queue_name, (coalesce(args -> 'payload' ->> 'company_id', '')), priority desc, id) where status = 'todo';

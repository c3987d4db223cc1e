-- Returns the company that caused a job. All jobs without a company, such as sign-in emails, take turns together, like
-- the jobs of one company.
create or replace function jobs.company_of(args jsonb) returns text
    language sql immutable
    return coalesce(args -> 'payload' ->> 'company_id', '');
grant execute on function jobs.company_of to service_role;

-- Returns the companies whose jobs in a queue are paused.
create or replace function jobs.paused_companies(queue text) returns setof text
    language sql stable as $$
    select p.company from jobs.pauses p where p.queue_name = queue and p.until > now()
$$;
grant execute on function jobs.paused_companies to service_role;

-- Returns the next due job of each company that waits in a queue and is not paused. It reads one row for each company,
-- however many jobs the company has waiting.
create or replace function jobs.next_jobs(queue text) returns table (company text, id bigint, priority int)
    language sql stable as $$
    with recursive next_jobs as (
        (select jobs.company_of(j.args) as company, j.id, j.priority
           from jobs.procrastinate_jobs j
          where j.status = 'todo' and j.queue_name = queue and (j.scheduled_at is null or j.scheduled_at <= now())
          order by jobs.company_of(j.args), j.priority desc, j.id
          limit 1)
        union all
        select later.company, later.id, later.priority
          from next_jobs n
         cross join lateral (
            select jobs.company_of(j.args) as company, j.id, j.priority
              from jobs.procrastinate_jobs j
             where j.status = 'todo' and j.queue_name = queue and (j.scheduled_at is null or j.scheduled_at <= now())
               and jobs.company_of(j.args) > n.company
             order by jobs.company_of(j.args), j.priority desc, j.id
             limit 1) later
    )
    select * from next_jobs n where n.company not in (select jobs.paused_companies(queue))
$$;
grant execute on function jobs.next_jobs to service_role;

-- Gives a worker the next job of a queue, like `procrastinate_fetch_job_v2`, but skips the companies of which the worker
-- already runs `most_per_company` jobs. It runs with the search path of the queue's connection, which the triggers of
-- procrastinate need.
create or replace function jobs.fetch_fairly(queue text, worker bigint, most_per_company int)
    returns jobs.procrastinate_jobs
    language plpgsql as $$
declare
    fetched jobs.procrastinate_jobs;
begin
    with busy as materialized (
        select jobs.company_of(r.args) as company
          from jobs.procrastinate_jobs r
         where r.status = 'doing' and r.worker_id = worker and r.queue_name = queue
         group by 1
        having count(*) >= most_per_company
    ), next as (
        select j.id
          from jobs.next_jobs(queue) n
          join jobs.procrastinate_jobs j on j.id = n.id
         where j.status = 'todo' and n.company not in (select b.company from busy b)
         order by n.priority desc, n.id
         limit 1
           for update of j skip locked
    )
    update jobs.procrastinate_jobs j set status = 'doing', worker_id = worker
      from next where j.id = next.id
    returning j.* into fetched;
    return fetched;
end
$$;
grant execute on function jobs.fetch_fairly to service_role;

-- Returns the turn of a new job, for each pair of a queue and a company at the same index of the two arrays. Turns with a
-- lower number come first, and the priority of a job is its negative turn.
-- A company takes the turn after its last waiting job. A company without a waiting job joins the current round, so it
-- waits for at most one job of each other company, and a company with many jobs still gets its turn in every round.
create or replace function jobs.next_turns(queues text[], companies text[])
    returns table (queue text, company text, turn int)
    language sql stable as $$
    with round as materialized (
        select q.queue, (select max(n.priority) from jobs.next_jobs(q.queue) n) as priority
          from (select distinct unnest(queues) as queue) q
    )
    select key.queue, key.company,
           coalesce(greatest(-round.priority,
                             (select 1 - min(j.priority) from jobs.procrastinate_jobs j
                               where j.status = 'todo' and j.queue_name = key.queue
                                 and jobs.company_of(j.args) = key.company)), 0)
      from unnest(queues, companies) as key (queue, company)
      join round on round.queue = key.queue
$$;
grant execute on function jobs.next_turns to service_role;

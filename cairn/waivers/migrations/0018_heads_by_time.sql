-- The checks of a history look for the heads that were signed around the time of each event.
create index chain_heads_company_at_idx on waivers.chain_heads (company_id, at);

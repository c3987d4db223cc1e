-- The directory finds a waiver by the name of each minor. The signer has number 0, and is found by the index of the waiver itself.
create index participants_search_idx on waivers.participants using gin
    (waivers.search_keys(company_id, lower(name))) where number > 0;

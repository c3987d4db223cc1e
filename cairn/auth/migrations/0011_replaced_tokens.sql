-- Replaced tokens are deleted after a while, and their successors stay.
alter table auth.refresh_tokens
    drop constraint refresh_tokens_parent_id_fkey,
    add constraint refresh_tokens_parent_id_fkey
        foreign key (parent_id) references auth.refresh_tokens on delete set null;
-- Tokens are added in the order of their age, so this index is tiny and costs little.
create index refresh_tokens_age_idx on auth.refresh_tokens using brin (created_at);

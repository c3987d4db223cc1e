-- Old sendings are found by their month. Rows are added in the order of their months, so the index is tiny and costs little.
create index counted_sendings_month_idx on billing.counted_sendings using brin (month);

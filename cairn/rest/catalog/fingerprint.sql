-- Returns a fingerprint that changes whenever the result of `read.sql` may change. Each row of a system catalog contains
-- the id of the transaction that wrote it, so a new or altered object increases the sum and a dropped one decreases it.
select concat_ws('/',
    (select concat(count(*), '+', sum(xmin::text::int8)) from pg_class),
    (select concat(count(*), '+', sum(xmin::text::int8)) from pg_attribute where attnum > 0),
    (select concat(count(*), '+', sum(xmin::text::int8)) from pg_attrdef),
    (select concat(count(*), '+', sum(xmin::text::int8)) from pg_constraint),
    (select concat(count(*), '+', sum(xmin::text::int8)) from pg_index),
    (select concat(count(*), '+', sum(xmin::text::int8)) from pg_rewrite),
    (select concat(count(*), '+', sum(xmin::text::int8)) from pg_proc),
    (select concat(count(*), '+', sum(xmin::text::int8)) from pg_type),
    (select concat(count(*), '+', sum(xmin::text::int8)) from pg_namespace))

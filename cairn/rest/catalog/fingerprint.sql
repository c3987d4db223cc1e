-- Changes whenever something did that `read.sql` would tell differently. Each row of a system table names the
-- transaction that wrote it: a new or altered object adds to the sum, a dropped one takes away.
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

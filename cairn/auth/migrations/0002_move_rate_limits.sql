-- The package limits has the buckets of all services. Buckets need not be kept.
drop table auth.rate_limits;

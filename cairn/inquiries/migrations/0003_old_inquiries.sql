-- Old inquiries are deleted.
grant delete on inquiries.messages to service_role;

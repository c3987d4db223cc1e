"""Administration of users and SSO providers by callers that hold the service key. `service()` mounts `routes`."""

-- For the list of the sessions that users opened at a client, the newest first.

CREATE INDEX sessions_of_client_by_age ON sessions (tenant_id, client_id, created_at, id) WHERE client_id IS NOT NULL;

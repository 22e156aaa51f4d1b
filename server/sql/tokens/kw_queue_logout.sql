-- Queues a client's logout notification for an ended session, once per session, if the client has an address for it.
-- The due time is when the session was opened, because the clocks of the nodes can differ from that of the database.
-- caller: none
CREATE OR REPLACE FUNCTION kw_queue_logout(
  p_tenant text, p_session text, p_user text, p_client text, p_since timestamptz
) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM oauth_clients c
    WHERE c.tenant_id = p_tenant AND c.id = p_client AND c.backchannel_logout_uri IS NOT NULL;
  IF NOT FOUND THEN
    RETURN;
  END IF;
  -- The rows of a deleted tenant are being removed, so no new rows are added.
  PERFORM FROM tenants WHERE tenant_id = p_tenant AND deleted_at IS NULL FOR KEY SHARE;
  IF NOT FOUND THEN
    RETURN;
  END IF;
  INSERT INTO logout_deliveries (tenant_id, id, user_id, queue_key, due_at, expires_at, created_at)
  VALUES (p_tenant, p_session, p_user, p_client, p_since, now() + interval '1 day', now())
      ON CONFLICT DO NOTHING;
END
$$;

-- Notifies clients when their session, or the browser session, ends, including clients whose sessions outlive that of
-- the browser. At the end of the transaction, a concurrent request that opened another session in that browser has
-- committed, and its session is seen.
CREATE OR REPLACE FUNCTION kw_notify_clients() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  -- An assignment runs no separate statement, unlike PERFORM.
  v_setting text := set_config('keywright.tenant_id', OLD.tenant_id, true);
  v_session record;
BEGIN
  IF OLD.kind = 'browser' THEN
    FOR v_session IN
      SELECT s.id, s.client_id, s.created_at FROM sessions s
       WHERE s.tenant_id = OLD.tenant_id AND s.login_id = OLD.id AND s.parent_id IS NULL AND s.is_active
    LOOP
      PERFORM kw_queue_logout(OLD.tenant_id, v_session.id, OLD.user_id, v_session.client_id, v_session.created_at);
    END LOOP;
  -- Also checked here: most clients have no address, so this check is the whole cost of each of their logouts.
  ELSIF EXISTS (
    SELECT FROM oauth_clients c
     WHERE c.tenant_id = OLD.tenant_id AND c.id = OLD.client_id AND c.backchannel_logout_uri IS NOT NULL) THEN
    PERFORM kw_queue_logout(OLD.tenant_id, OLD.id, OLD.user_id, OLD.client_id, OLD.created_at);
  END IF;
  RETURN NULL;
END
$$;

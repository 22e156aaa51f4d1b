-- Signals a session that ended before it expired. A session replaced by a stronger login continues under another ID.
CREATE OR REPLACE FUNCTION kw_signal_session() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  -- An assignment runs no separate statement, unlike PERFORM.
  v_setting text := set_config('keywright.tenant_id', OLD.tenant_id, true);
  v_cause text := CASE WHEN TG_OP = 'DELETE' THEN OLD.end_reason ELSE NEW.end_reason END;
BEGIN
  IF v_cause IS DISTINCT FROM 'replaced' THEN
    PERFORM kw_signal(OLD.tenant_id, 'session-revoked', OLD.user_id, OLD.id, OLD.client_id, v_cause, '{}');
  END IF;
  RETURN NULL;
END
$$;

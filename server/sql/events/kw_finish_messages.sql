-- Stores the results of messages, each in its tenant, except for messages claimed again meanwhile. Each is found by
-- its whole key: a join with the list could read the whole table first, and a condition on the status the index of all
-- pending messages. Claimed messages are pending. Email settings that a message was to be sent with are erased at its
-- end. The commit waits for the disk, because a message lost in a crash would be sent to a person again. p_finished: a
-- list for each tenant, as text, of {id, takes, status, attempts, due_at, reason}.
-- caller: writing
CREATE OR REPLACE FUNCTION kw_finish_messages(p_tenants text[], p_finished text[]) RETURNS void LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  v_setting text;
  v_one record;
BEGIN
  v_setting := set_config('role', 'keywright_tenant', true);
  FOR i IN 1 .. cardinality(p_tenants) LOOP
    v_setting := set_config('keywright.tenant_id', p_tenants[i], true);
    FOR v_one IN
      SELECT * FROM jsonb_to_recordset(p_finished[i]::jsonb) AS f (
        id text, takes integer, status text, attempts integer, due_at timestamptz, reason text)
    LOOP
      UPDATE messages m
         SET status = v_one.status, attempts = v_one.attempts, due_at = v_one.due_at, reason = v_one.reason,
             held_until = NULL, through = CASE WHEN v_one.status = 'pending' THEN m.through END
       WHERE m.tenant_id = p_tenants[i] AND m.id = v_one.id AND m.takes = v_one.takes AND m.held_until IS NOT NULL;
    END LOOP;
  END LOOP;
END
$$;

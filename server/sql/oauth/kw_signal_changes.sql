-- Signals the credential changes of users in recorded events (CAEP §3.3). p_events: as passed to kw_record.
-- caller: none
CREATE OR REPLACE FUNCTION kw_signal_changes(p_tenant text, p_events jsonb) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  v_one record;
BEGIN
  FOR v_one IN
    SELECT e.data ->> 'user_id' AS user_id,
           CASE e.type WHEN 'factor.added' THEN 'create' WHEN 'factor.removed' THEN 'delete' ELSE 'update' END AS change,
           CASE
             WHEN e.type = 'user.updated' THEN 'password'
             WHEN e.data ->> 'type' = 'passkey' THEN 'fido2-platform'
             WHEN e.data ->> 'type' = 'totp' THEN 'app'
             ELSE 'recovery-codes'
           END AS credential
      FROM jsonb_to_recordset(p_events) AS e (type text, data jsonb)
     WHERE e.type IN ('factor.added', 'factor.removed')
        OR e.type = 'user.updated' AND e.data -> 'fields' ? 'password'
  LOOP
    PERFORM kw_signal(
      p_tenant, 'credential-change', v_one.user_id, NULL, NULL, NULL,
      jsonb_build_object('credential_type', v_one.credential, 'change_type', v_one.change));
  END LOOP;
END
$$;

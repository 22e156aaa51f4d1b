-- Writes the records of a change: entries of the audit log, each with its MAC, and events. The caller has entered the
-- tenant. Returns the queued deliveries, each as JSON, or NULL. Entry and queue are one statement.
-- caller: transaction
-- null: answer
CREATE OR REPLACE FUNCTION kw_record(p_tenant text, p_entries jsonb, p_events jsonb)
RETURNS text[] LANGUAGE plpgsql AS $$
DECLARE
  -- The actor behind the change, for signals that are queued when it commits. An assignment runs no separate
  -- statement, unlike PERFORM.
  v_actor text := set_config('keywright.actor', concat_ws(
    ' ', p_entries -> 0 ->> 'actor_kind', coalesce(p_entries -> 0 ->> 'on_behalf_of', p_entries -> 0 ->> 'actor_id')), true);
BEGIN
  WITH written AS (
    INSERT INTO audit_entries (
      tenant_id, id, created_at, actor_kind, actor_id, on_behalf_of, credential, action, target_kind, target_id,
      outcome, address, request_id, count, details, mac
    )
    SELECT p_tenant, e.id, e.created_at, e.actor_kind, e.actor_id, e.on_behalf_of, e.credential, e.action,
           e.target_kind, e.target_id, e.outcome, e.address, e.request_id, e.count, e.details, e.mac
      FROM jsonb_to_recordset(p_entries) AS e (
        id text, created_at timestamptz, actor_kind text, actor_id text, on_behalf_of text, credential text,
        action text, target_kind text, target_id text, outcome text, address text, request_id text,
        count integer, details jsonb, mac bytea)
    RETURNING id
  )
  INSERT INTO audit_unsealed SELECT p_tenant, written.id FROM written;
  IF p_events = '[]' THEN
    RETURN NULL;
  END IF;
  IF p_events @? '$[*].type ? (@ == "user.updated" || @ == "factor.added" || @ == "factor.removed")' THEN
    PERFORM kw_signal_changes(p_tenant, p_events);
  END IF;
  RETURN kw_emit(p_tenant, p_events);
END
$$;

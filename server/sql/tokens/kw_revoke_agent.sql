-- Revokes the tokens of an agent, of its keys and of the delegations to it, when the agent is deleted, becomes
-- inactive or changes permissions.
CREATE OR REPLACE FUNCTION kw_revoke_agent() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  v_grants text[];
  v_indexes bigint[];
BEGIN
  PERFORM set_config('keywright.tenant_id', OLD.tenant_id, true);
  SELECT array_agg(k.id), array_agg(k.status_idx) INTO v_grants, v_indexes
    FROM api_keys k WHERE k.tenant_id = OLD.tenant_id AND k.agent_id = OLD.id AND k.revoked_at IS NULL;
  v_grants := v_grants || ARRAY(
    SELECT d.id FROM delegations d
     WHERE d.tenant_id = OLD.tenant_id AND d.agent_id = OLD.id AND d.revoked_at IS NULL);
  PERFORM kw_revoke_grants(OLD.tenant_id, v_grants, v_indexes || OLD.status_idx);
  RETURN NULL;
END
$$;

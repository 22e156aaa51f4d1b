-- The version increases with every change of the agent's row, so that nodes reload cached keys.
CREATE OR REPLACE FUNCTION kw_copy_agent_to_keys() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE api_keys k SET agent_is_active = NEW.is_active, agent_version = k.agent_version + 1
   WHERE k.tenant_id = NEW.tenant_id AND k.agent_id = NEW.id;
  RETURN NULL;
END
$$;

-- FOR SHARE: a concurrent deactivation of the agent either waits for the new key and also updates it, or has already
-- committed.
CREATE OR REPLACE FUNCTION kw_copy_agent_to_new_key() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  SELECT a.is_active INTO NEW.agent_is_active
    FROM agents a WHERE a.tenant_id = NEW.tenant_id AND a.id = NEW.agent_id FOR SHARE;
  NEW.agent_is_active := coalesce(NEW.agent_is_active, false);
  RETURN NEW;
END
$$;

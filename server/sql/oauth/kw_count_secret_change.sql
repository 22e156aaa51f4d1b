-- Adding or deleting a secret changes its client.
CREATE OR REPLACE FUNCTION kw_count_secret_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE oauth_clients SET version = version
   WHERE tenant_id = coalesce(NEW.tenant_id, OLD.tenant_id) AND id = coalesce(NEW.client_id, OLD.client_id);
  RETURN NULL;
END
$$;

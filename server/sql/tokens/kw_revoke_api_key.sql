-- Revokes the tokens of an ended key. If the expiry moves to an earlier time in the future, issued tokens can outlive
-- the key: a rotated key remains valid for at least a day, and no token lives longer.
CREATE OR REPLACE FUNCTION kw_revoke_api_key() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' OR NEW.revoked_at IS NOT NULL OR NEW.expires_at <= now() THEN
    PERFORM kw_revoke_grants(OLD.tenant_id, ARRAY[OLD.id], ARRAY[OLD.status_idx]);
  END IF;
  RETURN NULL;
END
$$;

-- Signals that a user was disabled or enabled.
CREATE OR REPLACE FUNCTION kw_signal_user() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  v_setting text := set_config('keywright.tenant_id', OLD.tenant_id, true);
  v_type text := CASE WHEN NEW.is_active THEN 'account-enabled' ELSE 'account-disabled' END;
BEGIN
  PERFORM kw_signal(OLD.tenant_id, v_type, OLD.id, NULL, NULL, NULL, '{}');
  RETURN NULL;
END
$$;

-- For nodes of the version before texts of tenants; others call kw_read_message_senders.
-- caller: none
CREATE OR REPLACE FUNCTION kw_read_senders(p_tenants text[], p_kinds text[]) RETURNS TABLE (
  place integer, name text, issuer text, config jsonb, branding jsonb, messaging jsonb, templates jsonb,
  wrapped_key bytea, master_key_id text
) LANGUAGE plpgsql AS $$
BEGIN
  FOR i IN 1 .. cardinality(p_tenants) LOOP
    RETURN QUERY SELECT i, s.* FROM kw_read_sender(p_tenants[i], p_kinds[i]) AS s;
  END LOOP;
END
$$;

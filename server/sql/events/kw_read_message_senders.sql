-- Returns everything needed to render and send messages of each tenant and kind, by kw_read_message_sender. place: the
-- index in the request, from 1; a deleted tenant is missing.
-- caller: reading
-- null: issuer
-- type config: Record<string, unknown>
-- type branding: Record<string, string>
-- type messaging: Record<string, unknown>
-- type templates: { locale: string; subject: string; text: string }[]
-- type texts: { locale: string; key: string; text: string }[]
-- type logos: { kind: string; digest: string }[]
CREATE OR REPLACE FUNCTION kw_read_message_senders(p_tenants text[], p_kinds text[]) RETURNS TABLE (
  place integer, name text, issuer text, config jsonb, branding jsonb, messaging jsonb, templates jsonb, texts jsonb, logos jsonb,
  wrapped_key bytea, master_key_id text
) LANGUAGE plpgsql AS $$
BEGIN
  FOR i IN 1 .. cardinality(p_tenants) LOOP
    RETURN QUERY SELECT i, s.* FROM kw_read_message_sender(p_tenants[i], p_kinds[i]) AS s;
  END LOOP;
END
$$;

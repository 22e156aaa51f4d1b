-- Returns everything needed to render and send a message of a kind: the tenant's settings, its own texts, whole or by
-- sentence, its logos, and its data key. Returns no row if the tenant was deleted.
-- caller: batched reading
-- null: issuer
-- type config: Record<string, unknown>
-- type branding: Record<string, string>
-- type messaging: Record<string, unknown>
-- type templates: { locale: string; subject: string; text: string }[]
-- type texts: { locale: string; key: string; text: string }[]
-- type logos: { kind: string; digest: string }[]
CREATE OR REPLACE FUNCTION kw_read_message_sender(p_tenant text, p_kind text) RETURNS TABLE (
  name text, issuer text, config jsonb, branding jsonb, messaging jsonb, templates jsonb, texts jsonb, logos jsonb,
  wrapped_key bytea, master_key_id text
) LANGUAGE plpgsql ROWS 1 AS $$
DECLARE
  v_tenant text := kw_enter(p_tenant);
BEGIN
  RETURN QUERY
  SELECT t.name, t.issuer, t.config, t.branding, t.messaging,
         (SELECT coalesce(jsonb_agg(jsonb_build_object('locale', m.locale, 'subject', m.subject, 'text', m.text)), '[]')
            FROM message_templates m WHERE m.tenant_id = v_tenant AND m.kind = p_kind),
         kw_texts_of_mail(v_tenant), kw_stored_logos(v_tenant), k.wrapped_key, k.master_key_id
    FROM tenants t JOIN tenant_data_keys k ON k.tenant_id = t.tenant_id
   WHERE t.tenant_id = v_tenant AND t.deleted_at IS NULL;
END
$$;

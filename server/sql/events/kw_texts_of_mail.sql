-- Returns a tenant's replacements for sentences of emails.
-- caller: none
CREATE OR REPLACE FUNCTION kw_texts_of_mail(p_tenant text) RETURNS jsonb STABLE LANGUAGE sql AS $$
  SELECT coalesce(jsonb_agg(jsonb_build_object('locale', locale, 'key', key, 'text', text) ORDER BY locale, key), '[]')
    FROM tenant_texts WHERE tenant_id = p_tenant AND key LIKE 'mail.%'
$$;

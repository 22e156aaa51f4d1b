-- Creates users whose identifiers are not in use. Returns for each of them, in their order: created; existing, with the
-- user who has all of these identifiers; taken, if some belong to another user, or that user has only some of them.
-- p_rows: a list of {id, name, name_key, picture, is_active, metadata, user_metadata, secret_hash,
-- identifiers: [{type, identifier, verified}], roles}. Users are created in the order of an identifier, so that
-- concurrent imports do not deadlock. The caller has entered the tenant and locked the roles.
-- caller: transaction
-- type outcome: 'created' | 'existing' | 'taken'
-- when outcome 'created' | 'existing': user_id
CREATE OR REPLACE FUNCTION kw_import_users(p_tenant text, p_rows jsonb, p_now timestamptz) RETURNS TABLE (
  outcome text, user_id text
) LANGUAGE plpgsql AS $$
DECLARE
  v_outcomes text[] := array_fill(NULL::text, ARRAY[jsonb_array_length(p_rows)]);
  v_ids text[] := v_outcomes;
  v_user record;
  v_owners text[];
  v_held integer;
BEGIN
  FOR v_user IN
    SELECT u.*, n, ARRAY(SELECT i ->> 'identifier' FROM jsonb_array_elements(u.identifiers) AS i) AS names,
           (SELECT min((i ->> 'identifier') COLLATE "C") FROM jsonb_array_elements(u.identifiers) AS i) AS least
      FROM jsonb_array_elements(p_rows) WITH ORDINALITY AS input (value, n)
     CROSS JOIN LATERAL jsonb_to_record(input.value) AS u (
       id text, name text, name_key text, picture text, is_active boolean, metadata jsonb, user_metadata jsonb,
       secret_hash text, identifiers jsonb, roles jsonb)
     ORDER BY least, n
  LOOP
    LOOP
      SELECT array_agg(DISTINCT i.user_id), count(*) INTO v_owners, v_held
        FROM user_identifiers i WHERE i.tenant_id = p_tenant AND i.identifier = ANY (v_user.names);
      IF v_held > 0 THEN
        IF cardinality(v_owners) = 1 AND v_held = cardinality(v_user.names) THEN
          v_outcomes[v_user.n] := 'existing';
          v_ids[v_user.n] := v_owners[1];
        ELSE
          v_outcomes[v_user.n] := 'taken';
        END IF;
        EXIT;
      END IF;
      INSERT INTO users (tenant_id, id, name, name_key, picture, is_active, metadata, user_metadata, created_at)
      VALUES (p_tenant, v_user.id, v_user.name, v_user.name_key, v_user.picture, v_user.is_active, v_user.metadata,
              v_user.user_metadata, p_now);
      INSERT INTO user_logins (tenant_id, user_id) VALUES (p_tenant, v_user.id);
      INSERT INTO user_identifiers (tenant_id, user_id, type, identifier, verified, position)
      SELECT p_tenant, v_user.id, i ->> 'type', i ->> 'identifier', (i ->> 'verified')::boolean, position - 1
        FROM jsonb_array_elements(v_user.identifiers) WITH ORDINALITY AS input (i, position)
          ON CONFLICT (tenant_id, identifier) DO NOTHING;
      GET DIAGNOSTICS v_held = ROW_COUNT;
      IF v_held = cardinality(v_user.names) THEN
        INSERT INTO user_credentials (tenant_id, user_id, type, provider, secret_hash)
        SELECT p_tenant, v_user.id, 'password', 'local', v_user.secret_hash WHERE v_user.secret_hash IS NOT NULL;
        INSERT INTO user_roles (tenant_id, user_id, role)
        SELECT p_tenant, v_user.id, role FROM jsonb_array_elements_text(v_user.roles) AS role;
        v_outcomes[v_user.n] := 'created';
        v_ids[v_user.n] := v_user.id;
        EXIT;
      END IF;
      -- Another transaction has just taken one of them.
      DELETE FROM users u WHERE u.tenant_id = p_tenant AND u.id = v_user.id;
    END LOOP;
  END LOOP;
  RETURN QUERY SELECT o, i FROM unnest(v_outcomes, v_ids) WITH ORDINALITY AS found (o, i, n) ORDER BY n;
END
$$;

-- Accepts passkeys whose signatures were correct, and ends the suspension of the users' factors. A flow without an
-- identifier gets one of the user's, if possible a verified one. Then loads the flows as kw_find_flow_state does.
-- accepted_version: auth_version of the user; NULL if the passkey was removed meanwhile, or its counter did not
-- increase, as with a copied passkey. credentials: all credentials of the user, for the browser. Concurrent calls, for
-- any tenants, share one statement and one commit. The commit does not wait for the disk: the later commit of the
-- session does. p_tenants: sorted by tenant and user.
-- caller: writing
-- null: accepted_version
CREATE OR REPLACE FUNCTION kw_use_passkeys(
  p_tenants text[], p_flows text[], p_token_hashes bytea[], p_users text[], p_factors text[], p_counters bigint[],
  p_backed_up boolean[], p_now timestamptz[]
) RETURNS TABLE (
  place integer, :flow_state, accepted_version integer, is_known boolean, credentials bytea[]
) LANGUAGE plpgsql
:nested_loops_only AS $$
#variable_conflict use_column
DECLARE
  v_setting text := set_config('synchronous_commit', 'off', true);
  v_versions integer[] := array_fill(NULL::integer, ARRAY[cardinality(p_flows)]);
  v_version integer;
  v_place integer;
BEGIN
  v_setting := set_config('role', 'keywright_tenant', true);
  -- Locks flows, users and factors in the same order as other functions, to prevent deadlocks.
  FOR v_place IN
    SELECT n::integer FROM unnest(p_tenants, p_flows) WITH ORDINALITY AS used (tenant_id, flow_id, n)
     ORDER BY tenant_id, flow_id, n
  LOOP
    v_setting := set_config('keywright.tenant_id', p_tenants[v_place], true);
    PERFORM FROM login_flows f
     WHERE f.tenant_id = p_tenants[v_place] AND f.id = p_flows[v_place] AND f.identifier = '' FOR NO KEY UPDATE;
  END LOOP;
  FOR i IN 1 .. cardinality(p_flows) LOOP
    v_setting := set_config('keywright.tenant_id', p_tenants[i], true);
    SELECT u.auth_version INTO v_version FROM users u WHERE u.tenant_id = p_tenants[i] AND u.id = p_users[i] FOR SHARE;
    v_versions[i] := v_version;
  END LOOP;
  FOR i IN 1 .. cardinality(p_flows) LOOP
    v_setting := set_config('keywright.tenant_id', p_tenants[i], true);
    UPDATE user_factors k SET counter = p_counters[i], backed_up = p_backed_up[i], last_used_at = p_now[i]
     WHERE k.tenant_id = p_tenants[i] AND k.user_id = p_users[i] AND k.id = p_factors[i] AND k.type = 'passkey'
       AND (k.counter < p_counters[i] OR (p_counters[i] = 0 AND k.counter = 0));
    IF NOT FOUND THEN
      v_versions[i] := NULL;
      CONTINUE;
    END IF;
    UPDATE user_factors f SET failures = 0
     WHERE f.tenant_id = p_tenants[i] AND f.user_id = p_users[i] AND f.failures > 0;
    UPDATE login_flows f SET identifier = first.identifier
      FROM (SELECT o.identifier FROM user_identifiers o
             WHERE o.tenant_id = p_tenants[i] AND o.user_id = p_users[i] ORDER BY o.verified DESC, o.position LIMIT 1) AS first
     WHERE f.tenant_id = p_tenants[i] AND f.id = p_flows[i] AND f.identifier = '' AND f.ended_at IS NULL;
  END LOOP;
  RETURN QUERY
  SELECT input.n::integer, found.*, v_versions[input.n],
         EXISTS (SELECT FROM user_factors k
                  WHERE k.tenant_id = input.tenant_id AND k.user_id = p_users[input.n] AND k.id = p_factors[input.n]),
         ARRAY(SELECT k.credential_id FROM user_factors k
                WHERE k.tenant_id = input.tenant_id AND k.user_id = p_users[input.n] AND k.type = 'passkey'
                  AND v_versions[input.n] IS NOT NULL
                ORDER BY k.id)
    FROM unnest(p_tenants, p_flows, p_token_hashes) WITH ORDINALITY AS input (tenant_id, flow, token_hash, n)
   CROSS JOIN LATERAL kw_find_flow_state(input.tenant_id, input.flow, input.token_hash) AS found;
END
$$;

import { breaksIn, type DirectedBreaks } from '../breaks.ts';

const BY = 'tests/isolation/mixed-batches.test.ts';

/** In the part of a function that works for several tenants. */
export const MIXED_BATCHES: readonly DirectedBreaks[] = [
  breaksIn('kw_live_grants', BY, [
    [
      "ELSE 'o' END, '' ORDER BY asked.n)\n      INTO v_answer\n      FROM unnest(p_tenants",
      "ELSE 'o' END, '' ORDER BY asked.n DESC)\n      INTO v_answer\n      FROM unnest(p_tenants",
      'returns the answers in reverse',
    ],
    [
      "asked (tenant_id, id, version, n)\n     CROSS JOIN LATERAL (SELECT set_config('keywright.tenant_id', asked.tenant_id, true)",
      "asked (tenant_id, id, version, n)\n     CROSS JOIN LATERAL (SELECT set_config('keywright.tenant_id', p_tenants[1], true)",
      'reads sessions as the first tenant',
    ],
    [
      "v_tenant := set_config('keywright.tenant_id', p_tenants[i], true);\n      v_alive := false;",
      "v_tenant := set_config('keywright.tenant_id', p_tenants[1], true);\n      v_alive := false;",
      'reads all other grants as the first tenant',
    ],
    ['v_alive := false;', '', 'answers for an unknown kind as for the previous grant'],
    [
      'AND is_active AND deleted_at IS NULL LIMIT 1',
      'AND deleted_at IS NULL LIMIT 1',
      'keeps grants of inactive tenants',
    ],
    [
      'AND is_active AND deleted_at IS NULL LIMIT 1',
      'AND is_active LIMIT 1',
      'keeps grants of tenants that are being deleted',
    ],
  ]),
  breaksIn('kw_find_api_keys', BY, [
    [
      "ELSE k.agent_version || 'r,' END, '' ORDER BY asked.n)\n      INTO v_answer\n      FROM unnest(p_tenants",
      "ELSE k.agent_version || 'r,' END, '' ORDER BY asked.n DESC)\n      INTO v_answer\n      FROM unnest(p_tenants",
      'returns the answers in reverse',
    ],
    [
      "set_config('keywright.tenant_id', asked.tenant_id, true)",
      "set_config('keywright.tenant_id', p_tenants[1], true)",
      'reads everything as the first tenant',
    ],
    [
      'AND is_active AND deleted_at IS NULL LIMIT 1',
      'AND deleted_at IS NULL LIMIT 1',
      'finds keys of inactive tenants',
    ],
    [
      'entered.tenant_id AND secret_hash = asked.hash\n           AND kw_is_usable(revoked_at, expires_at, p_now) AND agent_is_active',
      'entered.tenant_id AND secret_hash = asked.hash\n           AND expires_at > p_now AND agent_is_active',
      'finds revoked keys',
    ],
    [
      'entered.tenant_id AND secret_hash = asked.hash\n           AND kw_is_usable(revoked_at, expires_at, p_now) AND agent_is_active',
      'entered.tenant_id AND secret_hash = asked.hash\n           AND revoked_at IS NULL AND agent_is_active',
      'finds expired keys',
    ],
    [
      'entered.tenant_id AND secret_hash = asked.hash\n           AND kw_is_usable(revoked_at, expires_at, p_now) AND agent_is_active',
      'entered.tenant_id AND secret_hash = asked.hash\n           AND kw_is_usable(revoked_at, expires_at, p_now)',
      'finds keys of inactive agents',
    ],
  ]),
  breaksIn('kw_refresh_sessions', BY, [
    [
      "set_config('keywright.tenant_id', p_tenants[i], true)",
      "set_config('keywright.tenant_id', p_tenants[1], true)",
      'refreshes everything as the first tenant',
    ],
    [
      'asked.client_id IS NULL OR asked.tenant_id <> ALL (v_active)',
      'asked.client_id IS NULL',
      'tells of an inactive tenant that a client has changed',
    ],
    ['\n        AND v_tenant = ANY (v_active);', ';', 'refreshes sessions of inactive tenants'],
    [' AND s.is_active\n', '\n', 'refreshes ended sessions'],
    ['AND s.refresh_hash = p_presented[i] AND', 'AND', 'accepts any refresh token of a session'],
    [' AND s.expires_at > p_issued_at[i]\n', '\n', 'refreshes expired sessions'],
    [
      "v_outcomes[i] := 'rotated'",
      "v_outcomes[1 + cardinality(p_tenants) - i] := 'rotated'",
      'answers one session with the result of another',
    ],
    [
      'SELECT o.is_active AND o.version',
      'SELECT o.version',
      'refreshes sessions of inactive clients',
    ],
    [
      ' AND o.version = coalesce(asked.client_version, o.version)',
      '',
      'refreshes for a client as it was before a change',
    ],
    ['NOT s.is_active OR ', '', 'repeats the tokens of an ended session'],
    [
      '\n             OR asked.tenant_id <> ALL (v_active)',
      '',
      'repeats the tokens of sessions of inactive tenants',
    ],
    [
      'WHEN s.previous_refresh_hash = asked.presented\n            AND s',
      'WHEN s',
      'repeats the tokens for any presented token',
    ],
    [
      '\n            AND s.refresh_issued_at > asked.issued_at - make_interval(secs => asked.retry_seconds)',
      '',
      'treats reuse as a retry, however late',
    ],
    [
      "\n        AND s.kind <> 'browser' AND s.client_id",
      '\n        AND s.client_id',
      'accepts a cookie as a refresh token',
    ],
    [
      ' AND s.client_id IS NOT DISTINCT FROM p_clients[i]',
      '',
      'refreshes the session of another client',
    ],
    [
      "\n         AND sessions.kind <> 'browser' AND",
      '\n         AND',
      'reports a presented cookie as reused',
    ],
    [
      ' AND sessions.client_id IS NOT DISTINCT FROM asked.client_id',
      '',
      'reports reuse to another client',
    ],
    ['ORDER BY asked.n;', 'ORDER BY asked.n DESC;', 'returns the answers in reverse'],
  ]),
  breaksIn('kw_find_users', BY, [
    ['ORDER BY asked.n)', 'ORDER BY asked.n DESC)', 'returns the answers in reverse'],
    [
      "set_config('keywright.tenant_id', asked.tenant_id, true)",
      "set_config('keywright.tenant_id', p_tenants[1], true)",
      'reads everything as the first tenant',
    ],
    ["'is_active', u.is_active", "'is_active', true", 'treats everyone as active'],
    ['AND u.id = asked.id LIMIT 1', 'LIMIT 1', 'finds any user of the tenant'],
  ]),
  breaksIn('kw_start_logins', BY, [
    [
      "v_setting := set_config('keywright.tenant_id', p_tenants[v_login], true);",
      "v_setting := set_config('keywright.tenant_id', p_tenants[1], true);",
      'counts everything as the first tenant',
    ],
    [
      "set_config('keywright.tenant_id', asked.tenant_id, true)",
      "set_config('keywright.tenant_id', p_tenants[1], true)",
      'looks up everything as the first tenant',
    ],
    ['ON asked.wait IS NULL', 'ON true', 'looks up the user of a throttled login'],
    [
      'v_waits[v_login] := v_wait;',
      'v_waits[1] := v_wait;',
      "throttles a login for another one's attempts",
    ],
    ['SELECT users.is_active', 'SELECT true AS is_active', 'treats everyone as active'],
    ['ORDER BY asked.n;', 'ORDER BY asked.n DESC;', 'returns the answers in reverse'],
  ]),
  breaksIn('kw_finish_logins', BY, [
    [
      '\n       AND v_tenant = ANY (v_active)\n       FOR SHARE',
      '\n       FOR SHARE',
      'opens sessions in inactive tenants',
    ],
    ['AND u.is_active AND', 'AND', 'opens sessions for inactive users'],
    [
      "IF v_entries <> '[]' AND (i = v_count OR p_tenants[i + 1] <> v_tenant) THEN",
      "IF v_entries <> '[]' AND i = v_count THEN",
      'records everything in the log of the last tenant',
    ],
    [
      "IF v_outcomes[i] = 'opened' THEN\n      INSERT",
      "IF v_outcomes[i] <> 'workspace_unknown' THEN\n      INSERT",
      'opens rejected sessions',
    ],
    [
      "set_config('keywright.tenant_id', asked.tenant_id, true)",
      "set_config('keywright.tenant_id', p_tenants[1], true)",
      'reads all permissions as the first tenant',
    ],
    ["may ON asked.outcome = 'opened'", 'may ON true', 'returns permissions with a rejection'],
    ['ORDER BY asked.n;', 'ORDER BY asked.n DESC;', 'returns the answers in reverse'],
  ]),
  breaksIn('kw_effective_permissions', BY, [
    [
      "PERFORM set_config('keywright.tenant_id', p_tenants[i], true);",
      "PERFORM set_config('keywright.tenant_id', p_tenants[1], true);",
      'reads everything as the first tenant',
    ],
    ['    v_home := NULL;\n', '', 'uses the workspace of an agent for the next user'],
    ['    is_active := NULL;\n', '', 'treats a subject as active because the previous one is'],
    ['    scopes := NULL;\n', '', 'gives a subject the permissions of the previous one'],
    ['    place := NULL;\n', '', "uses a subject's workspace for the next one without"],
    [
      'SELECT u.is_active INTO is_active',
      'SELECT true INTO is_active',
      'treats every user as active',
    ],
    ['SELECT a.is_active, a.scopes', 'SELECT true, a.scopes', 'treats every agent as active'],
  ]),
];

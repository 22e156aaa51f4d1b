import type { DirectedBreaks } from '../breaks.ts';

const BY = 'tests/isolation/mixed-batches.test.ts';

/** In the part of a function that works for several tenants. */
export const MIXED_BATCHES: readonly DirectedBreaks[] = [
  {
    in: 'kw_live_grants',
    by: BY,
    breaks: [
      [
        "ELSE 'o' END, '' ORDER BY asked.n)\n      INTO v_answer\n      FROM unnest(p_tenants",
        "ELSE 'o' END, '' ORDER BY asked.n DESC)\n      INTO v_answer\n      FROM unnest(p_tenants",
        'answers the last first',
      ],
      [
        "asked (tenant_id, id, version, n)\n     CROSS JOIN LATERAL (SELECT set_config('keywright.tenant_id', asked.tenant_id, true)",
        "asked (tenant_id, id, version, n)\n     CROSS JOIN LATERAL (SELECT set_config('keywright.tenant_id', p_tenants[1], true)",
        'looks at sessions as the first tenant',
      ],
      [
        "v_tenant := set_config('keywright.tenant_id', p_tenants[i], true);\n      v_alive := false;",
        "v_tenant := set_config('keywright.tenant_id', p_tenants[1], true);\n      v_alive := false;",
        'looks at all other grants as the first tenant',
      ],
      [
        'v_alive := false;',
        '',
        'answers for what is of no kind what it answered for the one before',
      ],
      [
        'AND is_active AND deleted_at IS NULL LIMIT 1',
        'AND deleted_at IS NULL LIMIT 1',
        'lets grants of inactive tenants live',
      ],
      [
        'AND is_active AND deleted_at IS NULL LIMIT 1',
        'AND is_active LIMIT 1',
        'lets grants of tenants that are being deleted live',
      ],
    ],
  },
  {
    in: 'kw_find_api_keys',
    by: BY,
    breaks: [
      [
        "ELSE k.agent_version || 'r,' END, '' ORDER BY asked.n)\n      INTO v_answer\n      FROM unnest(p_tenants",
        "ELSE k.agent_version || 'r,' END, '' ORDER BY asked.n DESC)\n      INTO v_answer\n      FROM unnest(p_tenants",
        'answers the last first',
      ],
      [
        "set_config('keywright.tenant_id', asked.tenant_id, true)",
        "set_config('keywright.tenant_id', p_tenants[1], true)",
        'looks at all as the first tenant',
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
    ],
  },
  {
    in: 'kw_rotate_sessions',
    by: BY,
    breaks: [
      [
        "set_config('keywright.tenant_id', p_tenants[i], true)",
        "set_config('keywright.tenant_id', p_tenants[1], true)",
        'refreshes all as the first tenant',
      ],
      ['\n        AND v_tenant = ANY (v_active);', ';', 'refreshes sessions of inactive tenants'],
      [' AND s.is_active\n', '\n', 'refreshes sessions that ended'],
      ['AND s.refresh_hash = p_presented[i] AND', 'AND', 'takes any refresh token of a session'],
      [' AND s.expires_at > p_issued_at[i]\n', '\n', 'refreshes sessions that expired'],
      ['v_rotated || FOUND', 'FOUND || v_rotated', 'tells one that the other was refreshed'],
      ['NOT s.is_active OR ', '', 'tells of a session that ended that the token was forged'],
      [
        '\n             OR asked.tenant_id <> ALL (v_active)',
        '',
        'repeats the tokens of sessions of inactive tenants',
      ],
      [
        'WHEN s.previous_refresh_hash = asked.presented\n            AND s',
        'WHEN s',
        'repeats the tokens of whoever shows any',
      ],
      [
        '\n            AND s.refresh_issued_at > asked.issued_at - make_interval(secs => asked.retry_seconds)',
        '',
        'takes reuse for a retry, however late',
      ],
      [
        "\n        AND s.kind <> 'browser' AND s.client_id",
        '\n        AND s.client_id',
        'takes a cookie for a refresh token',
      ],
      [
        ' AND s.client_id IS NOT DISTINCT FROM p_clients[i]',
        '',
        'refreshes the session of another client',
      ],
      [
        "\n         AND sessions.kind <> 'browser' AND",
        '\n         AND',
        'tells whoever shows a cookie that it was used before',
      ],
      [
        ' AND sessions.client_id IS NOT DISTINCT FROM asked.client_id',
        '',
        'tells another client that the token was used before',
      ],
      ['ORDER BY asked.n;', 'ORDER BY asked.n DESC;', 'answers the last first'],
    ],
  },
  {
    in: 'kw_find_users',
    by: BY,
    breaks: [
      ['ORDER BY asked.n)', 'ORDER BY asked.n DESC)', 'answers the last first'],
      [
        "set_config('keywright.tenant_id', asked.tenant_id, true)",
        "set_config('keywright.tenant_id', p_tenants[1], true)",
        'looks at all as the first tenant',
      ],
      ["'is_active', u.is_active", "'is_active', true", 'takes everybody for active'],
      ['AND u.id = asked.id LIMIT 1', 'LIMIT 1', 'finds anybody of the tenant'],
    ],
  },
  {
    in: 'kw_begin_logins',
    by: BY,
    breaks: [
      [
        "v_setting := set_config('keywright.tenant_id', p_tenants[v_login], true);",
        "v_setting := set_config('keywright.tenant_id', p_tenants[1], true);",
        'counts all as the first tenant',
      ],
      [
        "set_config('keywright.tenant_id', asked.tenant_id, true)",
        "set_config('keywright.tenant_id', p_tenants[1], true)",
        'looks for all as the first tenant',
      ],
      ['ON asked.wait IS NULL', 'ON true', 'looks for the user of a login that has to wait'],
      ['v_waits[v_login] := kw_count', 'v_waits[1] := kw_count', 'lets one wait for another'],
      ['SELECT users.is_active', 'SELECT true AS is_active', 'takes everybody for active'],
      ['ORDER BY asked.n;', 'ORDER BY asked.n DESC;', 'answers the last first'],
    ],
  },
  {
    in: 'kw_open_sessions',
    by: BY,
    breaks: [
      [
        '\n       AND v_tenant = ANY (v_active)\n       FOR SHARE',
        '\n       FOR SHARE',
        'opens sessions in inactive tenants',
      ],
      ['AND u.is_active AND', 'AND', 'opens sessions for inactive users'],
      [
        "IF v_entries <> '[]' AND (i = v_count OR p_tenants[i + 1] <> v_tenant) THEN",
        "IF v_entries <> '[]' AND i = v_count THEN",
        'records all in the log of the last tenant',
      ],
      [
        "IF v_outcomes[i] = 'opened' THEN\n      INSERT",
        "IF v_outcomes[i] <> 'workspace_unknown' THEN\n      INSERT",
        'opens what was refused',
      ],
      [
        "set_config('keywright.tenant_id', asked.tenant_id, true)",
        "set_config('keywright.tenant_id', p_tenants[1], true)",
        'reads what all may do as the first tenant',
      ],
      [
        "may ON asked.outcome = 'opened'",
        'may ON true',
        'tells whoever was refused what they may do',
      ],
      ['ORDER BY asked.n;', 'ORDER BY asked.n DESC;', 'answers the last first'],
    ],
  },
  {
    in: 'kw_effective_permissions',
    by: BY,
    breaks: [
      [
        "PERFORM set_config('keywright.tenant_id', p_tenants[i], true);",
        "PERFORM set_config('keywright.tenant_id', p_tenants[1], true);",
        'looks at all as the first tenant',
      ],
      ['    v_home := NULL;\n', '', 'takes the workspace of an agent for that of the next user'],
      ['    is_active := NULL;\n', '', 'takes one for active because the one before is'],
      ['    scopes := NULL;\n', '', 'gives one what the one before may'],
      ['    place := NULL;\n', '', 'says where one is of the next, who is asked about nowhere'],
      [
        'SELECT u.is_active INTO is_active',
        'SELECT true INTO is_active',
        'takes every user for active',
      ],
      ['SELECT a.is_active, a.scopes', 'SELECT true, a.scopes', 'takes every agent for active'],
    ],
  },
];

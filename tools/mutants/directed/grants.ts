import { breaksIn, type DirectedBreaks } from '../breaks.ts';

const GRANTS_MODULE = 'server/src/modules/tokens/grants';
const MIXED = 'tests/isolation/mixed-batches.test.ts';
const BESIDE = 'tests/races/ended-beside-living.test.ts';
const CHAIN = 'server/src/modules/oauth/token-endpoint/chain.test.ts';
const ATTACKS = 'tests/conformance/token-attacks.test.ts';

export const GRANTS: readonly DirectedBreaks[] = [
  breaksIn(`${GRANTS_MODULE}/store.ts`, BESIDE, [
    ["row?.answer[index] === '1'", "row?.answer[index] !== '2'", 'treats every grant as active'],
    [
      'const alive = new Set(inOrder.filter(',
      'const alive = new Set([...distinct.keys()].filter(',
      'answers by the position of another grant',
    ],
  ]),
  breaksIn(`${GRANTS_MODULE}/store.ts`, BESIDE, [
    [
      'return `${id} ${tenantId} ${version}`;',
      'return `${id} ${tenantId}`;',
      'looks up two versions of a grant once',
    ],
  ]),
  breaksIn(`${GRANTS_MODULE}/store.ts`, BESIDE, [
    [
      'return batched((grants: readonly Grant[]) => areAlive(gate, grants, clock.now()), {\n    size: 256,\n    flights: 1,\n  });',
      `const kept = new Map<string, Promise<boolean>>();
  const ask = batched((grants: readonly Grant[]) => areAlive(gate, grants, clock.now()), {
    size: 256,
    flights: 1,
  });
  return (grant) => {
    const place = JSON.stringify(grant);
    const answer = kept.get(place) ?? ask(grant);
    kept.set(place, answer);
    return answer;
  };`,
      'caches that a grant was active',
    ],
  ]),
  breaksIn(`${GRANTS_MODULE}/rules.ts`, BESIDE, [
    [
      ': [{ tenantId, id: sid, version }];',
      ': [{ tenantId, id: sid, version: 0 }];',
      'checks the first version of a session, whatever the token says',
    ],
  ]),
  breaksIn(
    `${GRANTS_MODULE}/rules.ts`,
    'server/src/modules/oauth/token-endpoint/delegated.test.ts',
    [
      [
        'if (keyId !== undefined) grants.push({ tenantId, id: keyId, version: ANY_VERSION });',
        '',
        "lets a token outlive its actor's key",
      ],
      [
        'grants.push({ tenantId, id, version: ver });',
        'if (grants.length > 0) grants.push({ tenantId, id, version: ver });',
        'ignores the delegation of the outermost actor',
      ],
    ],
  ),
  breaksIn(`${GRANTS_MODULE}/rules.ts`, CHAIN, [
    [
      'act !== undefined; act = act.act)',
      'act !== undefined; act = undefined)',
      'checks only the outermost actor of a chain',
    ],
  ]),
  breaksIn(`${GRANTS_MODULE}/rules.ts`, 'server/src/modules/operations/tenants/lifecycle.test.ts', [
    [
      '{ tenantId, id: tenantId, version: act.ver ?? 0 },',
      '',
      'keeps impersonation tokens issued before the tenant became inactive',
    ],
  ]),
  breaksIn('server/src/modules/authentication/bearer/bearer-service.ts', CHAIN, [
    [
      'alive.length > 0 && alive.every(Boolean)',
      'alive.length > 0 && alive.some(Boolean)',
      'requires one active grant of several',
    ],
  ]),
  breaksIn('server/src/modules/authentication/bearer/bearer-service.ts', ATTACKS, [
    [
      'alive.length > 0 && alive.every(Boolean)',
      'alive.every(Boolean)',
      'treats a token without grants as active',
    ],
  ]),
  breaksIn('kw_live_grants', MIXED, [
    [
      'AND is_active AND deleted_at IS NULL LIMIT 1\n      ) AS t ON true\n      LEFT JOIN LATERAL (\n        SELECT is_active,',
      'AND deleted_at IS NULL LIMIT 1\n      ) AS t ON true\n      LEFT JOIN LATERAL (\n        SELECT is_active,',
      'keeps grants of inactive tenants, in a batch of several',
    ],
    [
      'WHERE tenants.tenant_id = v_tenant AND is_active AND deleted_at',
      'WHERE tenants.tenant_id = v_tenant AND deleted_at',
      'keeps grants of an inactive tenant, in its own batch',
    ],
    [
      "WHEN s.is_active AND s.access_version = asked.version THEN '1'\n             WHEN starts_with(asked.id, 'session:') THEN '0'\n             ELSE 'o' END, '' ORDER BY asked.n)\n      INTO v_answer\n      FROM unnest(p_tenants",
      "WHEN s.access_version = asked.version THEN '1'\n             WHEN starts_with(asked.id, 'session:') THEN '0'\n             ELSE 'o' END, '' ORDER BY asked.n)\n      INTO v_answer\n      FROM unnest(p_tenants",
      'keeps ended sessions, in a batch of several tenants',
    ],
    [
      "WHEN s.is_active AND s.access_version = asked.version THEN '1'\n             WHEN starts_with(asked.id, 'session:') THEN '0'\n             ELSE 'o' END, '' ORDER BY asked.n)\n      INTO v_answer\n      FROM unnest(p_tenants",
      "WHEN s.is_active THEN '1'\n             WHEN starts_with(asked.id, 'session:') THEN '0'\n             ELSE 'o' END, '' ORDER BY asked.n)\n      INTO v_answer\n      FROM unnest(p_tenants",
      'keeps outdated tokens, in a batch of several tenants',
    ],
    [
      'kw_is_usable(k.revoked_at, k.expires_at, p_now)\n           AND a.is_active AND (p_versions',
      'k.expires_at > p_now\n           AND a.is_active AND (p_versions',
      'keeps revoked keys',
    ],
    [
      'kw_is_usable(k.revoked_at, k.expires_at, p_now)\n           AND a.is_active AND (p_versions',
      'k.revoked_at IS NULL\n           AND a.is_active AND (p_versions',
      'keeps expired keys',
    ],
    [
      '\n           AND a.is_active AND (p_versions',
      '\n           AND (p_versions',
      'keeps keys of inactive agents',
    ],
    [
      ' AND (p_versions[i] < 0 OR a.access_version = p_versions[i])',
      '',
      'keeps outdated tokens of keys',
    ],
    [
      'kw_is_usable(d.revoked_at, d.expires_at, p_now) AND d.access_version = p_versions[i]',
      'd.expires_at > p_now AND d.access_version = p_versions[i]',
      'keeps revoked delegations',
    ],
    [
      'kw_is_usable(d.revoked_at, d.expires_at, p_now) AND d.access_version = p_versions[i]',
      'd.revoked_at IS NULL AND d.access_version = p_versions[i]',
      'keeps expired delegations',
    ],
    [
      'kw_is_usable(d.revoked_at, d.expires_at, p_now) AND d.access_version = p_versions[i]',
      'kw_is_usable(d.revoked_at, d.expires_at, p_now)',
      'keeps outdated tokens of delegates',
    ],
    [
      'AND a.is_active AND u.is_active INTO v_alive',
      'AND a.is_active INTO v_alive',
      'keeps delegations of inactive users',
    ],
    [
      'AND a.is_active AND u.is_active INTO v_alive',
      'AND u.is_active INTO v_alive',
      'keeps delegations to inactive agents',
    ],
    [
      'SELECT a.is_active AND a.access_version = p_versions[i] INTO v_alive',
      'SELECT a.is_active INTO v_alive',
      'keeps outdated tokens of agents',
    ],
    [
      'SELECT a.is_active AND a.access_version = p_versions[i] INTO v_alive',
      'SELECT a.access_version = p_versions[i] INTO v_alive',
      'keeps tokens of inactive agents',
    ],
  ]),
];

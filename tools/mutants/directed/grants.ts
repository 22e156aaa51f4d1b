import type { DirectedBreaks } from '../breaks.ts';

const GRANTS_MODULE = 'server/src/modules/tokens/grants';
const MIXED = 'tests/isolation/mixed-batches.test.ts';
const BESIDE = 'tests/races/ended-beside-living.test.ts';
const CHAIN = 'server/src/modules/oauth/token-endpoint/chain.test.ts';
const ATTACKS = 'tests/conformance/token-attacks.test.ts';

export const GRANTS: readonly DirectedBreaks[] = [
  {
    in: `${GRANTS_MODULE}/store.ts`,
    by: BESIDE,
    breaks: [
      ["row?.answer[index] === '1'", "row?.answer[index] !== '2'", 'takes every grant for alive'],
      [
        'const alive = new Set(inOrder.filter(',
        'const alive = new Set([...distinct.keys()].filter(',
        'answers by the place of another grant',
      ],
    ],
  },
  {
    in: `${GRANTS_MODULE}/store.ts`,
    by: BESIDE,
    breaks: [
      [
        'return `${id} ${tenantId} ${version}`;',
        'return `${id} ${tenantId}`;',
        'asks for two versions of a grant once',
      ],
    ],
  },
  {
    in: `${GRANTS_MODULE}/store.ts`,
    by: BESIDE,
    breaks: [
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
        'remembers that a grant was alive',
      ],
    ],
  },
  {
    in: `${GRANTS_MODULE}/rules.ts`,
    by: BESIDE,
    breaks: [
      [
        ': [{ tenantId, id: sid, version }];',
        ': [{ tenantId, id: sid, version: 0 }];',
        'looks at the first version of a session, whatever the token says',
      ],
    ],
  },
  {
    in: `${GRANTS_MODULE}/rules.ts`,
    by: 'server/src/modules/oauth/token-endpoint/delegated.test.ts',
    breaks: [
      [
        'if (keyId !== undefined) grants.push({ tenantId, id: keyId, version: ANY_VERSION });',
        '',
        'lets a token outlive the key that its actor came with',
      ],
      [
        'grants.push({ tenantId, id, version: ver });',
        'if (grants.length > 0) grants.push({ tenantId, id, version: ver });',
        'forgets the delegation of the outermost actor',
      ],
    ],
  },
  {
    in: `${GRANTS_MODULE}/rules.ts`,
    by: CHAIN,
    breaks: [
      [
        'act !== undefined; act = act.act)',
        'act !== undefined; act = undefined)',
        'looks at the outermost actor of a chain alone',
      ],
    ],
  },
  {
    in: `${GRANTS_MODULE}/rules.ts`,
    by: 'server/src/modules/operations/tenants/lifecycle.test.ts',
    breaks: [
      [
        '{ tenantId, id: tenantId, version: act.ver ?? 0 },',
        '',
        'keeps impersonation tokens alive that were issued before the tenant became inactive',
      ],
    ],
  },
  {
    in: 'server/src/modules/authentication/bearer/service.ts',
    by: CHAIN,
    breaks: [
      [
        'alive.length > 0 && alive.every(Boolean)',
        'alive.length > 0 && alive.some(Boolean)',
        'is content with one living grant of several',
      ],
    ],
  },
  {
    in: 'server/src/modules/authentication/bearer/service.ts',
    by: ATTACKS,
    breaks: [
      [
        'alive.length > 0 && alive.every(Boolean)',
        'alive.every(Boolean)',
        'takes a token that hangs on nothing for alive',
      ],
    ],
  },
  {
    in: 'kw_live_grants',
    by: MIXED,
    breaks: [
      [
        'AND is_active AND deleted_at IS NULL LIMIT 1\n      ) AS t ON true\n      LEFT JOIN LATERAL (\n        SELECT is_active,',
        'AND deleted_at IS NULL LIMIT 1\n      ) AS t ON true\n      LEFT JOIN LATERAL (\n        SELECT is_active,',
        'lets grants of inactive tenants live, in a batch of several',
      ],
      [
        'WHERE tenants.tenant_id = v_tenant AND is_active AND deleted_at',
        'WHERE tenants.tenant_id = v_tenant AND deleted_at',
        'lets grants of an inactive tenant live, in a batch of its own',
      ],
      [
        "WHEN s.is_active AND s.access_version = asked.version THEN '1'\n             WHEN starts_with(asked.id, 'session:') THEN '0'\n             ELSE 'o' END, '' ORDER BY asked.n)\n      INTO v_answer\n      FROM unnest(p_tenants",
        "WHEN s.access_version = asked.version THEN '1'\n             WHEN starts_with(asked.id, 'session:') THEN '0'\n             ELSE 'o' END, '' ORDER BY asked.n)\n      INTO v_answer\n      FROM unnest(p_tenants",
        'lets ended sessions live, in a batch of several tenants',
      ],
      [
        "WHEN s.is_active AND s.access_version = asked.version THEN '1'\n             WHEN starts_with(asked.id, 'session:') THEN '0'\n             ELSE 'o' END, '' ORDER BY asked.n)\n      INTO v_answer\n      FROM unnest(p_tenants",
        "WHEN s.is_active THEN '1'\n             WHEN starts_with(asked.id, 'session:') THEN '0'\n             ELSE 'o' END, '' ORDER BY asked.n)\n      INTO v_answer\n      FROM unnest(p_tenants",
        'lets outdated tokens live, in a batch of several tenants',
      ],
      [
        'kw_is_usable(k.revoked_at, k.expires_at, p_now)\n           AND a.is_active AND (p_versions',
        'k.expires_at > p_now\n           AND a.is_active AND (p_versions',
        'lets revoked keys live',
      ],
      [
        'kw_is_usable(k.revoked_at, k.expires_at, p_now)\n           AND a.is_active AND (p_versions',
        'k.revoked_at IS NULL\n           AND a.is_active AND (p_versions',
        'lets expired keys live',
      ],
      [
        '\n           AND a.is_active AND (p_versions',
        '\n           AND (p_versions',
        'lets keys of inactive agents live',
      ],
      [
        ' AND (p_versions[i] < 0 OR a.access_version = p_versions[i])',
        '',
        'lets outdated tokens of keys live',
      ],
      [
        'kw_is_usable(d.revoked_at, d.expires_at, p_now) AND d.access_version = p_versions[i]',
        'd.expires_at > p_now AND d.access_version = p_versions[i]',
        'lets revoked delegations live',
      ],
      [
        'kw_is_usable(d.revoked_at, d.expires_at, p_now) AND d.access_version = p_versions[i]',
        'd.revoked_at IS NULL AND d.access_version = p_versions[i]',
        'lets expired delegations live',
      ],
      [
        'kw_is_usable(d.revoked_at, d.expires_at, p_now) AND d.access_version = p_versions[i]',
        'kw_is_usable(d.revoked_at, d.expires_at, p_now)',
        'lets outdated tokens of delegates live',
      ],
      [
        'AND a.is_active AND u.is_active INTO v_alive',
        'AND a.is_active INTO v_alive',
        'lets delegations of inactive users live',
      ],
      [
        'AND a.is_active AND u.is_active INTO v_alive',
        'AND u.is_active INTO v_alive',
        'lets delegations to inactive agents live',
      ],
      [
        'SELECT a.is_active AND a.access_version = p_versions[i] INTO v_alive',
        'SELECT a.is_active INTO v_alive',
        'lets outdated tokens of agents live',
      ],
      [
        'SELECT a.is_active AND a.access_version = p_versions[i] INTO v_alive',
        'SELECT a.access_version = p_versions[i] INTO v_alive',
        'lets tokens of inactive agents live',
      ],
    ],
  },
];

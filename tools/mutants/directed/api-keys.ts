import type { DirectedBreaks } from '../breaks.ts';

const KEYS = 'server/src/modules/machines/api-keys';
const BEARER = `${KEYS}/bearer.test.ts`;
const SECRET = `${KEYS}/secret.test.ts`;
const ROTATION = `${KEYS}/rotation.test.ts`;
const RECORDS = `${KEYS}/records.test.ts`;

export const API_KEYS: readonly DirectedBreaks[] = [
  {
    in: `${KEYS}/secret.ts`,
    by: SECRET,
    breaks: [
      [
        'checkOf(text.slice(0, CHECK_AT)) === text.slice(CHECK_AT) ? sha256(text) : undefined',
        'sha256(text)',
        'looks up keys that were mistyped',
      ],
      ['if (!FORM.test(text)) return undefined;', '', 'looks up what can be no key'],
      ['byte < FAIR_BYTES && text', 'text', 'draws some characters more often'],
      ['RANDOM_CHARACTERS = 38', 'RANDOM_CHARACTERS = 8', 'makes short keys'],
    ],
  },
  {
    in: `${KEYS}/allowed-ips.ts`,
    by: `${KEYS}/allowed-ips.test.ts`,
    breaks: [
      [
        'network.address, network.bits, network.family',
        'network.address, 0, network.family',
        'opens every address of the family',
      ],
      [
        "version !== 0 && networks.check(address, version === 6 ? 'ipv6' : 'ipv4')",
        'version !== 0',
        'takes every address',
      ],
      [" || address.includes('%')", '', 'takes the address of one link'],
      ['bits > BITS[version]\n', 'bits > 128\n', 'takes a network of 33 bits in IPv4'],
    ],
  },
  {
    in: `${KEYS}/authenticate.ts`,
    by: RECORDS,
    breaks: [
      [
        'if (!isAllowedFrom(from.address) || !profile) return undefined;',
        'if (!profile) return undefined;',
        'takes a key from anywhere',
      ],
    ],
  },
  {
    in: `${KEYS}/authenticate.ts`,
    by: BEARER,
    breaks: [
      [
        '    scopes: profile.scopes,\n    roles',
        '    scopes: profile.agent.scopes,\n    roles',
        'lets a key do all that its agent may',
      ],
      [
        'noteUse(tenant.id, profile.keyId);\n      return callerOf',
        'return callerOf',
        'does not note that a key was used',
      ],
      [
        'exp: epochSeconds(profile.expiresAt)',
        'exp: epochSeconds(profile.createdAt)',
        'tells another end of a key',
      ],
    ],
  },
  {
    in: `${KEYS}/lookup.ts`,
    by: BEARER,
    breaks: [
      [
        'known?.version === version ? known.profile',
        'known ? known.profile',
        'remembers what an agent was allowed before',
      ],
      [
        'if (version === undefined) return undefined;',
        '',
        'believes what it remembers of a key that ended',
      ],
      [
        "const place = `${tenantId} ${hash.toString('latin1')}`;",
        "const place = hash.toString('latin1');",
        'remembers a key for every tenant',
      ],
      [
        'row.key_scopes === null ? row.scopes : intersectScopes(row.key_scopes, row.scopes)',
        'row.key_scopes ?? row.scopes',
        'lets a key keep what its agent lost',
      ],
    ],
  },
  {
    in: `${KEYS}/lookup.ts`,
    by: RECORDS,
    breaks: [
      [
        'row.allowed_ips === null ? ANYWHERE : networksMatcher(row.allowed_ips)',
        'ANYWHERE',
        'forgets from where a key may come',
      ],
    ],
  },
  {
    in: `${KEYS}/lookup-store.ts`,
    by: 'tests/races/ended-beside-living.test.ts',
    breaks: [
      [
        '[key.place, found[index] || undefined]',
        '[key.place, found[0] || undefined]',
        'answers for one key what is so of the first',
      ],
    ],
  },
  {
    in: `${KEYS}/service.ts`,
    by: RECORDS,
    breaks: [
      ['secret_hash: sha256(key),', 'secret_hash: Buffer.from(key),', 'keeps the key itself'],
      ['if (allowed_ips) requireNetworks(allowed_ips, fail);', '', 'keeps what is no address'],
      [
        'record.id === id ? { ...record, key } : record',
        '{ ...record, key }',
        'shows a key that is none to whoever asks again',
      ],
    ],
  },
  {
    in: `${KEYS}/service.ts`,
    by: 'server/src/modules/machines/agents/escalation.test.ts',
    breaks: [
      [
        'requireWithin(agent.scopes, scopes ?? [], fail);',
        '',
        'gives a key more than its agent has',
      ],
      [
        'await requireMayActOnAgent(tx, caller, key.agent_id, fail);',
        '',
        'lets anybody end the key of a stronger agent',
      ],
    ],
  },
  {
    in: `${KEYS}/rotation.ts`,
    by: ROTATION,
    breaks: [
      [
        "if (overlapDays === 0) await revokeApiKeyRow(tx, keyId, 'rotated', now);",
        '',
        'lets a key live on that was rotated without an overlap',
      ],
      ['scopes: key.scopes,', 'scopes: null,', 'gives the successor all that the agent may'],
      [
        'allowed_ips: key.allowed_ips,',
        'allowed_ips: null,',
        'lets the successor come from anywhere',
      ],
      [
        'now.getTime() + lifeMs(key)',
        'now.getTime() + 2 * lifeMs(key)',
        'lets the successor live for longer',
      ],
    ],
  },
  {
    in: 'kw_find_api_keys',
    by: BEARER,
    breaks: [
      [
        'api_keys.tenant_id = v_tenant AND secret_hash = asked.hash\n           AND kw_is_usable(revoked_at, expires_at, p_now)',
        'api_keys.tenant_id = v_tenant AND secret_hash = asked.hash\n           AND expires_at > p_now',
        'finds revoked keys of one tenant',
      ],
    ],
  },
  {
    in: 'kw_find_api_keys',
    by: 'tests/isolation/mixed-batches.test.ts',
    breaks: [
      [
        'WHERE tenants.tenant_id = v_tenant AND is_active AND deleted_at',
        'WHERE tenants.tenant_id = v_tenant AND deleted_at',
        'finds keys of an inactive tenant',
      ],
    ],
  },
];

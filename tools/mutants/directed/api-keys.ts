import { breaksIn, type DirectedBreaks } from '../breaks.ts';

const KEYS = 'server/src/modules/machines/api-keys';
const BEARER = `${KEYS}/bearer.test.ts`;
const SECRET = `${KEYS}/secret.test.ts`;
const ROTATION = `${KEYS}/rotation.test.ts`;
const RECORDS = `${KEYS}/records.test.ts`;

export const API_KEYS: readonly DirectedBreaks[] = [
  breaksIn('server/src/platform/crypto/checked-secret.ts', SECRET, [
    [
      'checkOf(text.slice(0, checkAt)) === text.slice(checkAt) ? sha256(text) : undefined',
      'sha256(text)',
      'looks up mistyped keys',
    ],
    ['if (!form.test(text)) return undefined;', '', 'looks up what cannot be a key'],
    ['byte < FAIR_BYTES && text', 'text', 'generates some characters more often'],
    ['RANDOM_CHARACTERS = 38', 'RANDOM_CHARACTERS = 8', 'generates short keys'],
  ]),
  breaksIn(`${KEYS}/allowed-ips.ts`, `${KEYS}/allowed-ips.test.ts`, [
    [
      'network.address, network.bits, network.family',
      'network.address, 0, network.family',
      'allows every address of the family',
    ],
    [
      "version !== 0 && networks.check(address, version === 6 ? 'ipv6' : 'ipv4')",
      'version !== 0',
      'allows every address',
    ],
    [" || address.includes('%')", '', 'accepts a link-local address'],
    ['bits > BITS[version]\n', 'bits > 128\n', 'accepts an IPv4 prefix of 33 bits'],
  ]),
  breaksIn(`${KEYS}/authenticate.ts`, RECORDS, [
    [
      'if (!isAllowedFrom(from.address) || !profile) return undefined;',
      'if (!profile) return undefined;',
      'accepts a key from any address',
    ],
  ]),
  breaksIn(`${KEYS}/authenticate.ts`, BEARER, [
    [
      '    scopes: profile.scopes,\n    roles',
      '    scopes: profile.agent.scopes,\n    roles',
      'gives a key all scopes of its agent',
    ],
    [
      'noteUse(tenant.id, profile.keyId);\n      return callerOf',
      'return callerOf',
      'does not record when a key was used',
    ],
    [
      'exp: epochSeconds(profile.expiresAt)',
      'exp: epochSeconds(profile.createdAt)',
      'reports a wrong expiry of a key',
    ],
  ]),
  breaksIn(`${KEYS}/lookup.ts`, BEARER, [
    [
      'known?.version === version ? known.profile',
      'known ? known.profile',
      'keeps earlier scopes of an agent',
    ],
    ['if (version === undefined) return undefined;', '', 'accepts an ended key from the cache'],
    [
      "const place = `${tenantId} ${hash.toString('latin1')}`;",
      "const place = hash.toString('latin1');",
      'caches a key for all tenants',
    ],
    [
      'row.key_scopes === null ? row.scopes : intersectScopes(row.key_scopes, row.scopes)',
      'row.key_scopes ?? row.scopes',
      'lets a key keep scopes that its agent lost',
    ],
  ]),
  breaksIn(`${KEYS}/lookup.ts`, RECORDS, [
    [
      'row.allowed_ips === null ? ANYWHERE : networksMatcher(row.allowed_ips)',
      'ANYWHERE',
      'ignores the allowed addresses of a key',
    ],
  ]),
  breaksIn(`${KEYS}/lookup-store.ts`, 'tests/races/ended-beside-living.test.ts', [
    [
      '[key.place, found[index] || undefined]',
      '[key.place, found[0] || undefined]',
      'answers for every key as for the first',
    ],
  ]),
  breaksIn(`${KEYS}/service.ts`, RECORDS, [
    ['secret_hash: sha256(key),', 'secret_hash: Buffer.from(key),', 'stores the key itself'],
    ['if (allowed_ips) requireNetworks(allowed_ips, fail);', '', 'stores invalid addresses'],
    [
      'record.id === id ? { ...record, key } : record',
      '{ ...record, key }',
      'returns a wrong key to a repeated request',
    ],
  ]),
  breaksIn(`${KEYS}/service.ts`, 'server/src/modules/machines/agents/escalation.test.ts', [
    [
      'requireWithin(agent.scopes, scopes ?? [], fail);',
      '',
      'gives a key scopes that its agent lacks',
    ],
    [
      'await requireMayActOnAgent(tx, caller, key.agent_id, fail);',
      '',
      'lets anyone end the key of a more privileged agent',
    ],
  ]),
  breaksIn(`${KEYS}/rotation.ts`, ROTATION, [
    [
      "if (overlapDays === 0) await revokeApiKeyRow(tx, keyId, 'rotated', now);",
      '',
      'keeps a key that was rotated without an overlap',
    ],
    ['scopes: key.scopes,', 'scopes: null,', 'gives the successor all scopes of the agent'],
    [
      'allowed_ips: key.allowed_ips,',
      'allowed_ips: null,',
      'allows the successor from any address',
    ],
    [
      'now.getTime() + lifeMs(key)',
      'now.getTime() + 2 * lifeMs(key)',
      'extends the lifetime of the successor',
    ],
  ]),
  breaksIn('kw_find_api_keys', BEARER, [
    [
      'api_keys.tenant_id = v_tenant AND secret_hash = asked.hash\n           AND kw_is_usable(revoked_at, expires_at, p_now)',
      'api_keys.tenant_id = v_tenant AND secret_hash = asked.hash\n           AND expires_at > p_now',
      'finds revoked keys of one tenant',
    ],
  ]),
  breaksIn('kw_find_api_keys', 'tests/isolation/mixed-batches.test.ts', [
    [
      'WHERE tenants.tenant_id = v_tenant AND is_active AND deleted_at',
      'WHERE tenants.tenant_id = v_tenant AND deleted_at',
      'finds keys of an inactive tenant',
    ],
  ]),
];

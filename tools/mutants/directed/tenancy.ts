import { breaksIn, type DirectedBreaks } from '../breaks.ts';

const TENANCY_FOLDER = 'server/src/tenancy';
const RESOLUTION = 'tests/isolation/tenant-resolution.test.ts';
const OWN_CHANGES = `${TENANCY_FOLDER}/own-changes.test.ts`;
const CHANGES = `${TENANCY_FOLDER}/changes.test.ts`;
const ATTACKS = 'tests/conformance/token-attacks.test.ts';

export const TENANCY: readonly DirectedBreaks[] = [
  breaksIn(`${TENANCY_FOLDER}/resolve.ts`, RESOLUTION, [
    [
      'return named === undefined',
      'return named === undefined || peer.host !== undefined',
      'uses the host although a tenant is named',
    ],
    ["if (!tenant.isActive) return fail('TENANT_INACTIVE');", '', 'serves inactive tenants'],
    [
      "if (place === 'path') return",
      "if (place === 'path' && headers['x-tenant-id'] === undefined) return",
      "lets a header name another tenant at an issuer's address",
    ],
    [
      'directory.findById(String(named))',
      "directory.findById(String(named).split(',')[0] ?? '')",
      'uses the first of two names',
    ],
    [
      'directory.findById(String(named))',
      "(directory.findById(String(named)) ?? directory.findByHost(host ?? ''))",
      'uses the host if the name is wrong',
    ],
  ]),
  breaksIn(`${TENANCY_FOLDER}/directory.ts`, RESOLUTION, [
    ['isActive: row.is_active,', 'isActive: true,', 'treats every tenant as active'],
    [
      'const domain = normaliseDomain(host);',
      'const domain: string | undefined = host;',
      'does not normalize the host',
    ],
  ]),
  breaksIn(`${TENANCY_FOLDER}/directory.ts`, 'tests/isolation/separation.test.ts', [
    [
      'const text = JSON.stringify(kept);',
      "const text = 'all';",
      'gives all tenants the settings of one',
    ],
  ]),
  breaksIn(`${TENANCY_FOLDER}/directory.ts`, 'server/src/modules/tokens/sessions/issuer.test.ts', [
    ['`${baseUrl}/t/${tenantId}`', 'baseUrl', 'gives all tenants one issuer'],
  ]),
  breaksIn(`${TENANCY_FOLDER}/changes.ts`, OWN_CHANGES, [
    [
      '    forget: noteChange,\n',
      '    forget: () => undefined,\n',
      'keeps its cache after its own change',
    ],
    ['changedAt.set(tenantId, turn);', '', 'does not record which tenant was changed'],
    [
      'asOf.turn >= (changedAt.get(tenantId) ?? 0)',
      'asOf.turn >= 0',
      'uses its cache after a change',
    ],
  ]),
  breaksIn(`${TENANCY_FOLDER}/tenant-cache.ts`, OWN_CHANGES, [
    [
      'pending && this.#changes.isLatest(pending.asOf) ?',
      'pending ?',
      'uses a lookup started before a change',
    ],
    [
      'missed && this.#changes.isRecent(missed)',
      'missed',
      'caches forever that a tenant is unknown',
    ],
  ]),
  breaksIn(`${TENANCY_FOLDER}/changes.ts`, CHANGES, [
    [
      'watch.isConnected() ? CONNECTED_TTL_MS : DISCONNECTED_TTL_MS',
      'CONNECTED_TTL_MS',
      'uses its cache while notifications are unavailable',
    ],
    ['asOf.turn >= everythingChangedAt &&', '', 'uses its cache after missed notifications'],
  ]),
  breaksIn(`${TENANCY_FOLDER}/isolation-check.ts`, 'tests/isolation/isolation-check.test.ts', [
    [
      'if (unguarded.length > 0) throw',
      'if (unguarded.length > 1000) throw',
      'serves although a table has no row-level security',
    ],
    [
      'if (seen !== 0) throw',
      'if (seen > 1) throw',
      'serves although a row of another tenant is visible',
    ],
    [
      'if (there !== 1) throw',
      'if (there > 1) throw',
      'serves although the check could not have found one',
    ],
  ]),
  breaksIn(`${TENANCY_FOLDER}/authorization.ts`, ATTACKS, [
    [
      "if (!isAlive) fail(route.access === 'browser' ? 'BROWSER_SESSION_REQUIRED' : 'TOKEN_INVALID');",
      '',
      'accepts inactive tokens',
    ],
  ]),
  breaksIn(`${TENANCY_FOLDER}/presented.ts`, ATTACKS, [
    ['(?<scheme>bearer|dpop) ', '(?<scheme>[a-z]+) ', 'accepts any scheme as a bearer token'],
  ]),
  breaksIn(`${TENANCY_FOLDER}/authorization.ts`, 'tests/isolation/agents.test.ts', [
    ['  requireScope(route, caller);\n', '', 'requires no scope'],
  ]),
  breaksIn(`${TENANCY_FOLDER}/authorization.ts`, 'tests/isolation/agents.test.ts', [
    [
      "if (caller.kind === 'agent' || hasLentPermissions(caller)) fail('ADMINISTRATOR_REQUIRED');",
      "if (hasLentPermissions(caller)) fail('ADMINISTRATOR_REQUIRED');",
      'treats an agent as an administrator',
    ],
  ]),
  breaksIn(
    `${TENANCY_FOLDER}/authorization.ts`,
    'server/src/modules/oauth/token-endpoint/delegated.test.ts',
    [
      [
        "caller.kind === 'agent' || hasLentPermissions(caller)",
        "caller.kind === 'agent'",
        'treats a delegate as an administrator',
      ],
    ],
  ),
  breaksIn(`${TENANCY_FOLDER}/authorization.ts`, 'server/src/tenancy/applications.test.ts', [
    [
      "if (route.access === 'caller' && caller.kind === 'app') fail('APPLICATION_REFUSED');",
      '',
      'lets an application do what its user does',
    ],
  ]),
  breaksIn(`${TENANCY_FOLDER}/authorization.ts`, 'tests/isolation/impersonation.test.ts', [
    [
      "if (route.access === 'system' && !caller.isSystemAdministrator) {",
      "if (route.access === 'system' && caller.kind === 'agent') {",
      'treats anyone as a system administrator',
    ],
  ]),
  breaksIn(`${TENANCY_FOLDER}/router.ts`, 'tests/races/ended-beside-living.test.ts', [
    [
      'if (isEager) await before(requireAuthorized(request), answer);',
      '',
      'returns data to unauthorized callers',
    ],
  ]),
  breaksIn(`${TENANCY_FOLDER}/gate.ts`, 'tests/isolation/separation.test.ts', [
    [
      'one.values(tenantId, given)',
      "one.values('org_default', given)",
      'queries a tenant other than the entered one',
    ],
  ]),
  breaksIn(`${TENANCY_FOLDER}/system.ts`, 'server/src/modules/events/journal/audit.test.ts', [
    [
      'const entries = await announce(by, reason, on);',
      "const entries = '[]';",
      'works across tenants without a record',
    ],
    [
      "return key ? describe(key, by, reason, on, clock.now()) : '[]';",
      "return '[]';",
      'does not record work across tenants',
    ],
  ]),
];

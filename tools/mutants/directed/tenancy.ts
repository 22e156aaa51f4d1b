import type { DirectedBreaks } from '../breaks.ts';

const TENANCY_FOLDER = 'server/src/tenancy';
const RESOLUTION = 'tests/isolation/tenant-resolution.test.ts';
const OWN_CHANGES = `${TENANCY_FOLDER}/own-changes.test.ts`;
const CHANGES = `${TENANCY_FOLDER}/changes.test.ts`;
const ATTACKS = 'tests/conformance/token-attacks.test.ts';

export const TENANCY: readonly DirectedBreaks[] = [
  {
    in: `${TENANCY_FOLDER}/resolve.ts`,
    by: RESOLUTION,
    breaks: [
      [
        'return named === undefined',
        'return named === undefined || peer.host !== undefined',
        'goes by the host although a tenant is named',
      ],
      ["if (!tenant.isActive) return fail('TENANT_INACTIVE');", '', 'serves inactive tenants'],
      [
        "if (place === 'path') return",
        "if (place === 'path' && headers['x-tenant-id'] === undefined) return",
        'lets a header name another tenant at the address of an issuer',
      ],
      [
        'directory.findById(String(named))',
        "directory.findById(String(named).split(',')[0] ?? '')",
        'takes the first of two names',
      ],
      [
        'directory.findById(String(named))',
        "(directory.findById(String(named)) ?? directory.findByHost(host ?? ''))",
        'goes by the host where the name is wrong',
      ],
    ],
  },
  {
    in: `${TENANCY_FOLDER}/directory.ts`,
    by: RESOLUTION,
    breaks: [
      ['isActive: row.is_active,', 'isActive: true,', 'takes every tenant for active'],
      [
        'const domain = normaliseDomain(host);',
        'const domain: string | undefined = host;',
        'takes a host as it was written',
      ],
    ],
  },
  {
    in: `${TENANCY_FOLDER}/directory.ts`,
    by: 'tests/isolation/separation.test.ts',
    breaks: [
      [
        'const text = JSON.stringify(kept);',
        "const text = 'all';",
        'gives all tenants the settings of one',
      ],
    ],
  },
  {
    in: `${TENANCY_FOLDER}/directory.ts`,
    by: 'server/src/modules/tokens/sessions/issuer.test.ts',
    breaks: [['`${baseUrl}/t/${tenantId}`', 'baseUrl', 'gives all tenants one issuer']],
  },
  {
    in: `${TENANCY_FOLDER}/changes.ts`,
    by: OWN_CHANGES,
    breaks: [
      [
        '    forget: noteChange,\n',
        '    forget: () => undefined,\n',
        'does not forget what it changed itself',
      ],
      ['changedAt.set(tenantId, turn);', '', 'does not note which tenant was changed'],
      [
        'mark.turn >= (changedAt.get(tenantId) ?? 0)',
        'mark.turn >= 0',
        'believes what it knew before a change',
      ],
    ],
  },
  {
    in: `${TENANCY_FOLDER}/tenant-cache.ts`,
    by: OWN_CHANGES,
    breaks: [
      [
        'pending && this.#changes.isLatest(pending.mark) ?',
        'pending ?',
        'uses a lookup that began before a change',
      ],
      [
        'missed && this.#changes.isRecent(missed)',
        'missed',
        'caches forever that a tenant is unknown',
      ],
    ],
  },
  {
    in: `${TENANCY_FOLDER}/changes.ts`,
    by: CHANGES,
    breaks: [
      [
        'watch.isConnected() ? TOLD_MS : UNTOLD_MS',
        'TOLD_MS',
        'believes what it knows while it hears of no change',
      ],
      [
        'mark.turn >= everythingChangedAt &&',
        '',
        'believes what it knew before it missed announcements',
      ],
    ],
  },
  {
    in: `${TENANCY_FOLDER}/isolation-check.ts`,
    by: 'tests/isolation/isolation-check.test.ts',
    breaks: [
      [
        'if (unguarded.length > 0) throw',
        'if (unguarded.length > 1000) throw',
        'serves although a table is not guarded',
      ],
      [
        'if (seen !== 0) throw',
        'if (seen > 1) throw',
        'serves although a row of another tenant is visible',
      ],
      [
        'if (there !== 1) throw',
        'if (there > 1) throw',
        'serves although it could not have seen one',
      ],
    ],
  },
  {
    in: `${TENANCY_FOLDER}/authorization.ts`,
    by: ATTACKS,
    breaks: [
      [
        "if (!isAlive) fail(route.access === 'browser' ? 'BROWSER_SESSION_REQUIRED' : 'TOKEN_INVALID');",
        '',
        'lets dead tokens in',
      ],
      ["isBearer && token !== '' ?", "token !== '' ?", 'takes any scheme for a bearer token'],
    ],
  },
  {
    in: `${TENANCY_FOLDER}/authorization.ts`,
    by: 'tests/isolation/agents.test.ts',
    breaks: [['  requireScope(route, caller);\n', '', 'asks for no scope']],
  },
  {
    in: `${TENANCY_FOLDER}/authorization.ts`,
    by: 'tests/isolation/agents.test.ts',
    breaks: [
      [
        "if (needsAdministrator(route) && (caller.kind === 'agent' || caller.kind === 'delegate')) {",
        "if (needsAdministrator(route) && caller.kind === 'delegate') {",
        'takes an agent for an administrator',
      ],
    ],
  },
  {
    in: `${TENANCY_FOLDER}/authorization.ts`,
    by: 'server/src/modules/oauth/token-endpoint/delegated.test.ts',
    breaks: [
      [
        "caller.kind === 'agent' || caller.kind === 'delegate'",
        "caller.kind === 'agent'",
        'takes a delegate for an administrator',
      ],
    ],
  },
  {
    in: `${TENANCY_FOLDER}/authorization.ts`,
    by: 'tests/isolation/impersonation.test.ts',
    breaks: [
      [
        "if (route.access === 'system' && !caller.isSystemAdministrator) {",
        "if (route.access === 'system' && caller.kind === 'agent') {",
        'takes anybody for a system administrator',
      ],
    ],
  },
  {
    in: `${TENANCY_FOLDER}/router.ts`,
    by: 'tests/races/ended-beside-living.test.ts',
    breaks: [
      [
        'if (isEager) await before(requireAuthorized(request), answer);',
        '',
        'tells whoever is not let in what it found',
      ],
    ],
  },
  {
    in: `${TENANCY_FOLDER}/gate.ts`,
    by: 'tests/isolation/separation.test.ts',
    breaks: [
      [
        'one.values(tenantId, given)',
        "one.values('org_default', given)",
        'asks for another tenant than was entered',
      ],
    ],
  },
  {
    in: `${TENANCY_FOLDER}/system.ts`,
    by: 'server/src/modules/events/journal/audit.test.ts',
    breaks: [
      [
        'const entries = await announce(by, reason, on);',
        "const entries = '[]';",
        'works across tenants without a record',
      ],
      [
        "return key ? describe(key, by, reason, on, clock.now()) : '[]';",
        "return '[]';",
        'records nothing of work across tenants',
      ],
    ],
  },
];

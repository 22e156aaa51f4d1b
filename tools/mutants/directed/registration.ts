import { breaksIn, type DirectedBreaks } from '../breaks.ts';

const OAUTH = 'server/src/modules/oauth';
const REGISTRATION = `${OAUTH}/registration`;
const BY_TOKEN = `${REGISTRATION}/registration.test.ts`;
const ANYBODY = `${REGISTRATION}/anybody.test.ts`;
const MANAGE = `${REGISTRATION}/manage.test.ts`;
const DOCUMENTS = `${OAUTH}/clients/documents.test.ts`;
const UNUSABLE = `${OAUTH}/clients/unusable-documents.test.ts`;
const REDIRECTS = `${OAUTH}/authorize/redirect-consent.test.ts`;
const RACES = 'tests/races/registrations.test.ts';

export const REGISTRATIONS: readonly DirectedBreaks[] = [
  breaksIn(`${OAUTH}/authorize/decide.ts`, REDIRECTS, [
    [
      'consent?.redirectOrigins.includes(redirectOriginOf(redirectUri)) ?? false',
      'consent !== undefined',
      'sends codes to addresses that no page has named',
    ],
  ]),
  breaksIn(`${OAUTH}/authorize/turns.ts`, REDIRECTS, [
    [
      'device ? undefined : redirectOriginOf(redirectUri)',
      "redirectOriginOf(device ? client.redirect_uris[0] ?? '' : redirectUri)",
      'lets the consent to a device cover an address',
    ],
  ]),
  breaksIn(`${OAUTH}/consents/store.ts`, REDIRECTS, [
    [
      'WHEN c.revoked_at IS NOT NULL THEN excluded.redirect_origins\n',
      'WHEN false THEN excluded.redirect_origins\n',
      'keeps the addresses of a consent that was withdrawn',
    ],
    [
      'unnest(c.redirect_origins || excluded.redirect_origins)',
      'unnest(excluded.redirect_origins)',
      'forgets an allowed address when another one is allowed',
    ],
  ]),
  breaksIn(`${REGISTRATION}/register.ts`, ANYBODY, [
    [
      'most: undefined, mayWrite: false',
      'most: undefined, mayWrite: true',
      'lets anybody ask for permissions to write',
    ],
    ["if (isFull) fail('REGISTRATION_FULL');", '', 'counts no clients'],
    [
      "registrant.kind === 'anybody' ? keptUntil(tx.now) : undefined",
      'undefined',
      'keeps what anybody registered',
    ],
  ]),
  breaksIn(`${REGISTRATION}/register.ts`, RACES, [
    [
      "if (!isUsed) fail('REGISTRATION_TOKEN_INVALID', REJECTED);",
      '',
      'uses a token more often than it has uses',
    ],
    ['await lockRegistrations(tx);', '', 'counts clients without a lock'],
  ]),
  breaksIn(`${REGISTRATION}/register.ts`, BY_TOKEN, [
    [
      `resources: resources ? all.filter(({ uri }) => resources.includes(uri)) : all,`,
      'resources: all,',
      'registers for resources that the token does not name',
    ],
    [
      'redirectHosts: hosts ?? undefined,',
      'redirectHosts: undefined,',
      'returns to hosts that the token does not name',
    ],
    [
      "fail('CLIENT_METADATA_INVALID', { errors: [{ path: '/scope', message }] }),",
      'undefined as never,',
      'registers for permissions that the caller lacks',
    ],
  ]),
  breaksIn(`${REGISTRATION}/register.ts`, MANAGE, [
    [
      'return { scopes: most, redirectHosts: token.redirect_hosts ?? undefined };',
      'return { redirectHosts: token.redirect_hosts ?? undefined };',
      'forgets which scopes the token had',
    ],
    [
      'return { scopes: most, redirectHosts: token.redirect_hosts ?? undefined };',
      'return { scopes: most };',
      'forgets which hosts the token had',
    ],
    [
      "if (registrant.kind === 'caller') return scopes.some(isCommonPermission) ? { scopes } : {};",
      "if (registrant.kind === 'caller') return {};",
      'forgets which permissions the caller had',
    ],
  ]),
  breaksIn(`${REGISTRATION}/registrant.ts`, ANYBODY, [
    ["if (who === 'off') return fail('REGISTRATION_OFF');", '', 'registers where nobody may'],
    [
      "if (who !== 'open') return fail('REGISTRATION_TOKEN_INVALID', MISSING);",
      '',
      'registers anybody',
    ],
    [
      "await requireRoomToRegister(dependencies, tenant, from, fail);\n    return { kind: 'anybody' };",
      "return { kind: 'anybody' };",
      'registers without limit',
    ],
  ]),
  breaksIn(`${REGISTRATION}/registrant.ts`, BY_TOKEN, [
    ['lacks || hasLentPermissions(caller)', 'hasLentPermissions(caller)', 'needs no permission'],
    ['lacks || hasLentPermissions(caller)', 'lacks', 'takes permissions that a user lent'],
  ]),
  breaksIn(`${REGISTRATION}/manage.ts`, MANAGE, [
    [
      'if (!managesWith(registration?.token_hash, credential.token) || !registration) {',
      'if (!registration) {',
      'lets anybody manage a registration',
    ],
    ['await requireOwnSecret(tx, own, metadata, fail);', '', 'takes another secret'],
  ]),
  breaksIn(`${REGISTRATION}/manage.ts`, ANYBODY, [
    ['await requireRoomToRegister(dependencies, tenant, from, fail);', '', 'changes without limit'],
  ]),
  breaksIn(`${REGISTRATION}/change.ts`, MANAGE, [
    ['...(id === before.id ? [] :', '...(true ? [] :', 'takes another id'],
    ['...(asked === method\n', '...(true\n', 'seems to take another way to authenticate'],
    ['most: registration.scopes ?? undefined,', 'most: undefined,', 'gets more scopes'],
    [
      'redirectHosts: registration.redirect_hosts ?? undefined,',
      'redirectHosts: undefined,',
      'returns to other hosts',
    ],
  ]),
  breaksIn(`${REGISTRATION}/due-store.ts`, ANYBODY, [
    ['AND (c.revoked_at IS NULL OR c.revoked_at > ${since})', '', 'keeps what users have left'],
  ]),
  breaksIn(`${REGISTRATION}/tokens.ts`, BY_TOKEN, [
    [
      'await requireHeld(tx, caller, permissionsOf(scopes ?? []), fail);',
      '',
      'creates tokens for permissions that the caller lacks',
    ],
  ]),
  breaksIn(`${REGISTRATION}/tokens-store.ts`, BY_TOKEN, [
    [
      ".where('token_hash', '=', hash)\n    .where('uses', '>', 0)\n    .where('expires_at', '>', tx.now)",
      ".where('token_hash', '=', hash)\n    .where('uses', '>', 0)",
      'finds tokens after their end',
    ],
  ]),
  breaksIn(`${OAUTH}/clients/document.ts`, UNUSABLE, [
    [
      'if (document.client_id !== address) add(',
      'if (false) add(',
      'takes the document of another',
    ],
    ['if (hasSecrets(authentication)) {', 'if (false) {', 'takes a secret that everybody can read'],
    [
      'if (isLoopback(uri) || isAt(host, uri)) return;',
      'return;',
      'returns to other hosts than that of the document',
    ],
    ['url.host === host', "url.host.split(':')[0] === host.split(':')[0]", 'ignores the port'],
    ["const isHost = !url.hostname.endsWith('.');", 'const isHost = true;', 'takes a second name'],
  ]),
  breaksIn(`${OAUTH}/clients/documents.ts`, DOCUMENTS, [
    ['if (already) return already;', '', 'reads a document once for each request'],
    ['if (good) return good;', '', 'reads a document that was just read'],
    [
      'Math.min(Math.max(asked, LIFE_SECONDS.min), LIFE_SECONDS.max)',
      'Math.min(asked, LIFE_SECONDS.max)',
      'reads a document as often as its host likes',
    ],
    [
      'Math.min(Math.max(asked, LIFE_SECONDS.min), LIFE_SECONDS.max)',
      'Math.max(asked, LIFE_SECONDS.min)',
      'keeps a document for ever',
    ],
  ]),
  breaksIn(`${OAUTH}/clients/published-clients.ts`, UNUSABLE, [
    ['if (!isLet(tenant.config, id)) return NOT_LET;', '', 'reads documents of any host'],
    [
      'if (from && !known) await requireRoom(dependencies, tenant, url, from, fail);',
      '',
      'reads as many documents as a stranger names',
    ],
  ]),
  breaksIn(`${OAUTH}/clients/published.ts`, UNUSABLE, [
    ["fail('REGISTRATION_FULL');", '', 'lets users bring any number of clients'],
  ]),
  breaksIn(`${OAUTH}/clients/published.ts`, DOCUMENTS, [
    ['is_active: before.is_active', 'is_active: true', 'turns a client on with its next change'],
  ]),
];

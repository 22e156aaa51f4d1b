import { randomBytes } from 'node:crypto';
import { EVENT_TYPES } from '@keywright/contract/events';
import type { Route } from '@keywright/contract/route';
import { CLIENT_ASSERTION_TYPE } from '@keywright/contract/routes/client-authentication';
import type { Side, World } from '../../tests/isolation/world.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Fields that make a route's body as large as allowed, in addition to the required ones. */
export function largestOf({ id }: Route, { local }: World): Fields {
  return LARGEST[id]?.(local) ?? {};
}

function list<T>(count: number, make: (at: number) => T): T[] {
  return Array.from({ length: count }, (_, at) => make(at));
}

const text = (length: number) => randomBytes(length).toString('base64url').slice(0, length);
/** 16 KiB, in as many members as fit. */
const members = () => Object.fromEntries(list(1600, (at) => [at.toString(36).padStart(4, 'x'), 1]));
const scopes = () => list(128, (at) => `read:${'x'.repeat(50)}${at}`);
const scopesText = () => list(32, (at) => `read:${'x'.repeat(60)}${at}`).join(' ');

/** A well-formed token with a wrong signature, so the service must verify it. */
function forged({ member }: Side, length: number): string {
  const [header = '', payload = ''] = member.token.split('.');
  const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as Fields;
  const more = { ...claims, more: text(Math.max(0, Math.floor((length - 900) * 0.75))) };
  const padded = Buffer.from(JSON.stringify(more)).toString('base64url');
  return [header, padded, randomBytes(64).toString('base64url')].join('.').slice(0, length);
}

/** A 4096-bit modulus with its highest and lowest bits set. */
function modulus(): string {
  const bytes = randomBytes(512);
  bytes[0] = 0xff;
  bytes[511] = 0xff;
  return bytes.toString('base64url');
}

const proofs = () => ({
  description: 'x'.repeat(512),
  scopes: scopes(),
  jwks: {
    keys: list(10, (at) => ({
      kty: 'RSA',
      kid: `${at}`.padEnd(128, 'x'),
      n: modulus(),
      e: 'AQAB',
    })),
  },
  trusts: list(10, (at) => ({
    issuer: `https://issuer-${at}.example.com/${'x'.repeat(470)}`,
    audience: 'x'.repeat(512),
    subject: 'x'.repeat(512),
    claims: Object.fromEntries(list(10, (n) => [`claim-${n}`, list(20, () => text(35))])),
  })),
});

const settings = () => ({
  config: {
    custom_claims: Object.fromEntries(list(32, (at) => [`claim-${at}`, list(32, () => text(48))])),
    allowed_origins: list(32, (at) => `https://${'x'.repeat(200)}-${at}.example.com`),
  },
});

const LARGEST: Readonly<Record<string, (side: Side) => Fields>> = {
  'auth.login': () => ({ secret: text(256) }),
  'auth.verify_token': (side) => ({ token: forged(side, 8192) }),
  'auth.token': (side) => ({
    client_secret: undefined,
    client_assertion_type: CLIENT_ASSERTION_TYPE,
    client_assertion: forged(side, 8192),
  }),
  'auth.token_by_issuer': (side) => ({ scope: scopesText(), actor_token: forged(side, 8192) }),
  'auth.impersonate': () => ({ reason: 'x'.repeat(512) }),
  'access.evaluation': (side) => ({ subject: { type: 'token', id: forged(side, 8192) } }),
  'access.evaluations': (side) => ({
    evaluations: list(100, () => ({ subject: { type: 'token', id: forged(side, 2400) } })),
  }),
  'access.explain': () => ({ scope: scopesText() }),
  'me.update': () => ({ user_metadata: members() }),
  'delegations.create': () => ({ scopes: scopes() }),
  'users.create': () => ({ password: text(256) }),
  'users.update': ({ role, workspaceId }) => ({
    metadata: members(),
    user_metadata: members(),
    roles: ['member', role],
    workspaces: [workspaceId],
    identifiers: list(16, () => ({ identifier: `${text(40).toLowerCase()}@example.com` })),
  }),
  'users.disable': () => ({ reason: 'x'.repeat(512) }),
  'roles.create': () => ({ description: 'x'.repeat(512), scopes: scopes() }),
  'roles.update': () => ({ description: 'x'.repeat(512), scopes: scopes() }),
  'agents.create': proofs,
  'agents.update': proofs,
  'apikeys.create': () => ({
    scopes: scopes(),
    allowed_ips: list(64, (at) => `2001:db8:${at}:ffff:ffff:ffff:ffff:ffff/128`),
  }),
  'webhooks.create': () => ({
    events: [...EVENT_TYPES],
    url: `https://h.example.com/${text(2000)}`,
  }),
  'webhooks.update': () => ({
    events: [...EVENT_TYPES],
    url: `https://h.example.com/${text(2000)}`,
  }),
  'tenants.create': () => ({
    domains: list(64, () => `${text(40).toLowerCase()}.example.com`),
    ...settings(),
  }),
  'tenants.update': settings,
};

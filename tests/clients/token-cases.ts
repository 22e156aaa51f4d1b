import { randomBytes } from 'node:crypto';
import { GRANT_TYPE } from '@keywright/contract/routes/token';
import type { AuditCheckpoint } from '@keywright/contract/records/audit-entry';
import { epochSeconds, systemClock } from '@keywright/server/platform/clock';
import { attacker, signed, withClaims, withPart } from '../conformance/token-forge.ts';
import { claiming, type Forge, FORGERIES } from '../conformance/token-forgeries.ts';
import { gatherMaterial } from '../conformance/token-material.ts';
import { clientParameters } from '../harness/delegation.ts';
import { expectStatus } from '../harness/http.ts';
import { type Keywright, startKeywright } from '../harness/keywright.ts';
import { freePort } from '../harness/postgres.ts';
import type { TestTenant } from '../harness/tenant.ts';
import { getToken } from '../harness/token-endpoint.ts';
import { claimsOf } from '../harness/token.ts';

/** More than the default clock tolerance of any library. */
const LONG_PAST_SECONDS = 120;

const header = (kid: string, extra: object = {}) => ({
  alg: 'EdDSA',
  typ: 'at+jwt',
  kid,
  ...extra,
});

/** Signed by the tenant's own key, with a different type or none. */
const typed =
  (typ: string | undefined): Forge =>
  ({ key, kid, claims }) =>
    signed(key, header(kid, { typ }), claims);

const jwkOfAttacker = attacker.publicKey.export({ format: 'jwk' });

/** Each is a user's token with a single deviation, which must be the reason for its rejection. */
const FORGED: Readonly<Record<string, Forge>> = {
  ...FORGERIES.algorithm,
  'other claims under the signature': ({ genuine }) =>
    withClaims(genuine, { roles: ['system_admin'] }),
  'the signature of something else': ({ genuine, refreshToken }) =>
    withPart(genuine, 2, () => refreshToken.split('.')[2] ?? ''),
  'signed by an attacker': ({ kid, claims }) => signed(attacker.privateKey, header(kid), claims),
  'signed by an attacker, whose key is in the header': ({ kid, claims }) =>
    signed(attacker.privateKey, header(kid, { jwk: jwkOfAttacker }), claims),
  'signed by another tenant': ({ other, claims }) =>
    signed(other.privateKey, header(other.kid), claims),
  'signed by another tenant, which names the key of this one': ({ kid, other, claims }) =>
    signed(other.privateKey, header(kid), claims),
  'of another issuer': claiming(({ claims }) => ({ iss: `${claims.iss}x` })),
  'of no issuer': claiming(() => ({ iss: undefined })),
  'for another audience': claiming(({ claims }) => ({ aud: claims.iss })),
  'for no audience': claiming(() => ({ aud: undefined })),
  // Some libraries reject a token that expires before it was issued, whatever the time.
  expired: claiming(({ now }) => ({
    iat: now - 2 * LONG_PAST_SECONDS,
    exp: now - LONG_PAST_SECONDS,
  })),
  'without an end': claiming(() => ({ exp: undefined })),
  'of the type JWT': typed('JWT'),
  'of the type of refresh tokens': typed('rt+jwt'),
  'of the type of checkpoints of the audit log': typed('audit-checkpoint+jwt'),
  'of no type': typed(undefined),
};

/** The tokens given to a verifier, and their subjects. */
export interface TokenCases {
  readonly issuer: string;
  readonly audience: string;
  /** The token and its subject, by title. */
  readonly accepted: ReadonlyMap<string, { readonly token: string; readonly sub: string }>;
  readonly refused: ReadonlyMap<string, string>;
}

/** Starts the service at an address that verifiers can reach, equal to its tokens' issuer. */
export async function startWithTokens(): Promise<{ keywright: Keywright; cases: TokenCases }> {
  const port = await freePort();
  const masterKey = randomBytes(32).toString('base64');
  const keywright = await startKeywright({
    env: {
      KEYWRIGHT_PORT: String(port),
      KEYWRIGHT_BASE_URL: `http://127.0.0.1:${port}`,
      KEYWRIGHT_MASTER_KEY: masterKey,
    },
  });
  const audience = 'https://api.example.com';
  const tenant = await keywright.tenant('acme', { config: { audience } });
  const now = epochSeconds(systemClock.now());
  const material = await gatherMaterial(keywright, masterKey, now, tenant);
  const forged = Object.entries(FORGED).map(([title, forge]) => [title, forge(material)] as const);
  const refused = new Map([
    ...forged,
    ['of a user of another tenant', material.other.token],
    ['a refresh token', material.refreshToken],
    ['a checkpoint of the audit log', await checkpointOf(tenant)],
  ]);
  const accepted = await acceptedTokens(tenant, material.genuine);
  return { keywright, cases: { issuer: material.claims.iss, audience, accepted, refused } };
}

async function acceptedTokens(tenant: TestTenant, ofUser: string) {
  const agent = await tenant.createAgent();
  const parameters = { grant_type: GRANT_TYPE.clientCredentials, ...clientParameters(agent) };
  const tokens = { 'of a user': ofUser, 'of an agent': await getToken(tenant, parameters) };
  return new Map(
    Object.entries(tokens).map(([title, token]) => [title, { token, sub: claimsOf(token).sub }]),
  );
}

async function checkpointOf(tenant: TestTenant): Promise<string> {
  const answer = await tenant.request<{ items: AuditCheckpoint[] }>('GET', '/audit/checkpoints', {
    token: await tenant.adminToken(),
  });
  return expectStatus(200, answer).items[0]?.token ?? '';
}

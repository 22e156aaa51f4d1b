import { CLOCK_SKEW_SECONDS } from '@keywright/contract/claims';
import { type OAuthClientId, type SessionId, parseSessionId } from '@keywright/contract/ids';
import {
  ASSERTION_SECONDS,
  type AssertionAudience,
} from '@keywright/contract/records/identity-assertions';
import type { ClientTokenAnswer } from '@keywright/contract/records/tokens';
import { TOKEN_TYPE } from '@keywright/contract/routes/token';
import { epochSeconds } from '../../../platform/clock.ts';
import { randomId } from '../../../platform/crypto/ids.ts';
import type { TenantTx } from '../../../tenancy/gate.ts';
import type { Core } from '../../../tenancy/module.ts';
import type { NoteUse } from '../../../tenancy/activity.ts';
import { record } from '../../events/journal/index.ts';
import { jtiOf, timesFlaw } from '../../tokens/proofs/index.ts';
import {
  findAssertableSession,
  findUsableRefreshToken,
  type RefreshService,
} from '../../tokens/sessions/index.ts';
import type { ApplicationJwts } from '../../tokens/signing-keys/index.ts';
import type { LoadedClient } from '../clients/index.ts';
import {
  type RefuseGrant,
  type TokenRequest,
  bindToKey,
  needsKey,
  refuseParameter,
  requireParameter,
} from './token-request.ts';

/**
 * draft-ietf-oauth-identity-assertion-authz-grant: asserts to another authorization server who the user is, and what
 * the administrators let the client do there. The client needs the token exchange grant.
 */
export class IdentityAssertions {
  readonly #core: Core;
  readonly #refreshes: RefreshService;
  readonly #jwts: ApplicationJwts;
  readonly #noteClientUse: NoteUse<OAuthClientId>;

  constructor(
    core: Core,
    refreshes: RefreshService,
    jwts: ApplicationJwts,
    noteClientUse: NoteUse<OAuthClientId>,
  ) {
    this.#core = core;
    this.#refreshes = refreshes;
    this.#jwts = jwts;
    this.#noteClientUse = noteClientUse;
  }

  async issue(
    request: TokenRequest,
    client: LoadedClient,
    fail: RefuseGrant,
  ): Promise<ClientTokenAnswer> {
    const { tenant, parameters, key } = request;
    const { gate, clock } = this.#core;
    const asserted = decideAssertion(client.identity_assertions.audiences, parameters);
    if (asserted === 'scope') return fail('SCOPE_INVALID');
    if (typeof asserted === 'string') return fail('TARGET_INVALID', NOT_ALLOWED);
    const sessionId = await this.#findSession(request, client, fail);
    const jkt = await bindToKey(key, needsKey(tenant, client, undefined), fail);
    const session = await gate
      .into(tenant.id)
      .transaction((tx) => vouchWithin(tx, request, { client, sessionId, asserted }, fail));
    const now = epochSeconds(clock.now());
    const exp = Math.min(now + ASSERTION_SECONDS, epochSeconds(session.expires_at));
    const claims = {
      iss: tenant.issuer,
      ...claimsOf(asserted, session),
      jti: randomId(),
      iat: now,
      exp,
      ...(jkt !== undefined && { cnf: { jkt } }),
    };
    const { id_token_signed_response_alg: alg } = client;
    const token = await this.#jwts.sign(tenant.id, { alg, typ: ASSERTION_TYP, claims });
    this.#noteClientUse(tenant.id, client.id);
    return {
      access_token: token,
      token_type: 'N_A',
      expires_in: exp - now,
      scope: asserted.scopes.join(' '),
      issued_token_type: TOKEN_TYPE.idJag,
    };
  }

  /** Returns the session of this client to which the subject token belongs. @throws AppError EXCHANGE_REFUSED */
  async #findSession(
    { tenant, parameters, key }: TokenRequest,
    client: LoadedClient,
    fail: RefuseGrant,
  ): Promise<SessionId> {
    const { subject_token_type: type } = parameters;
    const token = parameters.subject_token ?? requireParameter('subject_token', fail);
    const refuse = (internal: string) => fail('EXCHANGE_REFUSED', { internal });
    if (type === TOKEN_TYPE.refreshToken) {
      const presented = (await this.#refreshes.read(tenant, token)) ?? refuse('subject_token');
      const claims = await findUsableRefreshToken(this.#core, tenant, presented);
      const bound = presented.client?.jkt;
      if (claims?.client_id !== client.id) return refuse('subject_token');
      if (bound !== undefined && bound !== key?.jkt) return refuse('subject_token_bound');
      return sessionIn(claims) ?? refuse('subject_token');
    }
    if (type !== TOKEN_TYPE.idToken) {
      return refuseParameter(
        'subject_token_type',
        `must be ${TOKEN_TYPE.idToken} or ${TOKEN_TYPE.refreshToken}`,
        fail,
      );
    }
    const claims = await this.#jwts.verify(tenant, token, ID_TOKEN);
    return claims && claims['aud'] === client.id
      ? (sessionIn(claims) ?? refuse('subject_token'))
      : refuse('subject_token');
  }
}

const NOT_ALLOWED = {
  detail: 'The client is not allowed to get assertions for this audience and resource.',
};

const ID_TOKEN = { kind: 'ID token', allowExpired: false, retiredToo: false } as const;

function sessionIn({ sid }: Readonly<Record<string, unknown>>): SessionId | undefined {
  return typeof sid === 'string' ? parseSessionId(sid) : undefined;
}

interface Voucher {
  readonly client: LoadedClient;
  readonly sessionId: SessionId;
  readonly asserted: AssertedGrant;
}

type AssertableSession = NonNullable<Awaited<ReturnType<typeof findAssertableSession>>>;

/** Returns the session if it is active, and records the assertion, so that every assertion has an audit entry. */
async function vouchWithin(
  tx: TenantTx,
  { from }: TokenRequest,
  { client: { id: clientId }, sessionId, asserted }: Voucher,
  fail: RefuseGrant,
): Promise<AssertableSession> {
  const session = await findAssertableSession(tx, sessionId, clientId);
  if (!session) return fail('EXCHANGE_REFUSED', { internal: 'subject_token_ended' });
  const { user_id: subject } = session;
  const { audience, resource, scopes } = asserted;
  const by = { kind: 'app', subject, clientId, sessionId, from } as const;
  await record(tx, by, {
    action: 'auth.identity_asserted',
    target: { kind: 'user', id: subject },
    details: {
      audience: audience.issuer,
      client_id: audience.client_id,
      ...(resource !== undefined && { resource }),
      scopes: [...scopes],
    },
  });
  return session;
}

function claimsOf({ audience, resource, scopes }: AssertedGrant, session: AssertableSession) {
  const { user_id: sub, email, acr, amr } = session;
  return {
    sub,
    aud: audience.issuer,
    client_id: audience.client_id,
    ...(resource !== undefined && { resource }),
    ...(scopes.length > 0 && { scope: scopes.join(' ') }),
    auth_time: epochSeconds(session.auth_time),
    acr,
    amr,
    // As in ID tokens: only what the user allowed this client to know.
    ...(session.scopes.includes('email') && email !== null && { email, email_verified: true }),
  };
}

/** RFC 8725 §3.11: no other token is accepted as an identity assertion, nor an identity assertion as another token. */
const ASSERTION_TYP = 'oauth-id-jag+jwt';

/** The parameters of a request for an identity assertion. */
interface RequestedAssertion {
  readonly audience?: string | readonly string[];
  readonly resource?: string | readonly string[];
  /** Joined by spaces. */
  readonly scope?: string;
}

/** The content of an assertion, with its audience. */
export interface AssertedGrant {
  readonly audience: AssertionAudience;
  readonly resource: string | undefined;
  readonly scopes: readonly string[];
}

/** Decides whether the administrators allow an assertion. @returns the parameter that is not allowed otherwise */
export function decideAssertion(
  audiences: readonly AssertionAudience[],
  requested: RequestedAssertion,
): AssertedGrant | 'audience' | 'resource' | 'scope' {
  const [issuer, ...others] = [requested.audience ?? []].flat();
  const audience = audiences.find((candidate) => candidate.issuer === issuer);
  if (!audience || others.length > 0) return 'audience';
  const resources = [requested.resource ?? []].flat();
  const [resource = resources.length === 0 ? onlyOf(audience.resources) : undefined, ...more] =
    resources;
  const isNamed =
    resource === undefined
      ? audience.resources.length === 0
      : audience.resources.includes(resource);
  if (!isNamed || more.length > 0) return 'resource';
  const scopes = [...new Set((requested.scope ?? '').split(' ').filter(Boolean))];
  if (!scopes.every((scope) => audience.scopes.includes(scope))) return 'scope';
  return { audience, resource, scopes: scopes.length > 0 ? scopes : audience.scopes };
}

function onlyOf(resources: readonly string[]): string | undefined {
  return resources.length === 1 ? resources[0] : undefined;
}

/** The claims of an identity assertion from another issuer. */
export interface Assertion {
  readonly issuer: string;
  readonly subject: string;
  readonly jti: string;
  /** Undefined: the assertion does not limit the scopes. */
  readonly scopes: readonly string[] | undefined;
  readonly resource: string | undefined;
  /** When the user authenticated at the issuer, in seconds; if unknown, when the assertion was issued. */
  readonly authTime: number;
}

interface Expected {
  /** The issuer of the tenant. */
  readonly issuer: string;
  readonly clientId: OAuthClientId;
  /** Thumbprint of the key that the client proved. */
  readonly jkt: string | undefined;
}

type Claims = Readonly<Record<string, unknown>>;

/** OpenID Connect Core 1.0 §2: at most 255 ASCII characters. */
const SUBJECT = /^[\x20-\x7e]{1,255}$/;
const MAX_TEXT = 8192;

/**
 * Reads the claims of an assertion before its signature is verified. @returns the flaw if it has one, for the log
 * only
 */
export function readAssertion(
  { typ, claims }: { readonly typ: string; readonly claims: Claims },
  expected: Expected,
  now: Date,
): Assertion | { readonly refusal: string } {
  if (typ !== ASSERTION_TYP) return { refusal: 'typ' };
  const { iss, sub, aud, client_id: clientId, iat, scope, resource, auth_time: at } = claims;
  // A tenant must not redeem its own assertions for access tokens, which would widen its grants.
  if (typeof iss !== 'string' || iss === expected.issuer) return { refusal: 'iss' };
  // Rejects a list, because another audience could replay the assertion here.
  if (aud !== expected.issuer) return { refusal: 'aud' };
  if (clientId !== expected.clientId) return { refusal: 'client_id' };
  if (typeof sub !== 'string' || !SUBJECT.test(sub)) return { refusal: 'sub' };
  const flaw = timesFlaw(claims, now, ASSERTION_SECONDS);
  if (flaw || typeof iat !== 'number') return { refusal: flaw ?? 'iat' };
  const jti = jtiOf(claims);
  if (jti === undefined) return { refusal: 'jti' };
  if (!isTextOrNothing(scope)) return { refusal: 'scope' };
  if (!isTextOrNothing(resource)) return { refusal: 'resource' };
  const bound = keyIn(claims);
  if (bound !== undefined && bound !== expected.jkt) return { refusal: 'cnf' };
  return {
    issuer: iss,
    subject: sub,
    jti,
    scopes: scope?.split(' ').filter(Boolean),
    resource,
    authTime: isPast(at, now) ? at : iat,
  };
}

function isTextOrNothing(value: unknown): value is string | undefined {
  return value === undefined || (typeof value === 'string' && value.length <= MAX_TEXT);
}

function isPast(value: unknown, now: Date): value is number {
  return (
    Number.isSafeInteger(value) &&
    Number(value) > 0 &&
    Number(value) <= epochSeconds(now) + CLOCK_SKEW_SECONDS
  );
}

/** Returns the key to which an assertion is bound. An unknown kind of binding never matches a key. */
function keyIn({ cnf }: Claims): string | undefined {
  if (cnf === undefined) return undefined;
  const { jkt = '' } = (typeof cnf === 'object' && cnf !== null ? cnf : {}) as {
    readonly jkt?: unknown;
  };
  return typeof jkt === 'string' ? jkt : '';
}

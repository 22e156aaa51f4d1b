import { type OAuthClientId, parseSessionId, type SessionId } from '@keywright/contract/ids';
import { ASSERTION_SECONDS } from '@keywright/contract/records/identity-assertions';
import type { ClientTokenAnswer } from '@keywright/contract/records/tokens';
import { TOKEN_TYPE } from '@keywright/contract/routes/token';
import { epochSeconds } from '../../../platform/clock.ts';
import { randomId } from '../../../platform/crypto/ids.ts';
import type { TenantTx } from '../../../tenancy/gate.ts';
import type { Core } from '../../../tenancy/module.ts';
import type { NoteUse } from '../../../tenancy/uses.ts';
import { record } from '../../events/journal/index.ts';
import { readRefreshToken } from '../../tokens/access-tokens/index.ts';
import { findUsableRefreshToken, findAssertableSession } from '../../tokens/sessions/index.ts';
import type { OwnJwts } from '../../tokens/signing-keys/index.ts';
import type { KnownClient } from '../clients/index.ts';
import {
  bindToKey,
  needsKey,
  type RefuseGrant,
  refuseParameter,
  requireParameter,
  type TokenRequest,
} from './grant-rules.ts';
import { ASSERTION_TYP, type AssertedGrant, decideAssertion } from './identity-assertion-rules.ts';

/**
 * draft-ietf-oauth-identity-assertion-authz-grant: asserts to another authorization server who the user is, and what
 * the administrators let the client do there. The client needs the token exchange grant.
 */
export class IdentityAssertions {
  readonly #core: Core;
  readonly #jwts: OwnJwts;
  readonly #noteClientUse: NoteUse<OAuthClientId>;

  constructor(core: Core, jwts: OwnJwts, noteClientUse: NoteUse<OAuthClientId>) {
    this.#core = core;
    this.#jwts = jwts;
    this.#noteClientUse = noteClientUse;
  }

  async issue(
    request: TokenRequest,
    client: KnownClient,
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
    client: KnownClient,
    fail: RefuseGrant,
  ): Promise<SessionId> {
    const { subject_token_type: type } = parameters;
    const token = parameters.subject_token ?? requireParameter('subject_token', fail);
    const refuse = (internal: string) => fail('EXCHANGE_REFUSED', { internal });
    if (type === TOKEN_TYPE.refreshToken) {
      const claims = await findUsableRefreshToken(this.#core, tenant, token);
      const bound = readRefreshToken(token)?.client?.jkt;
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
  readonly client: KnownClient;
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

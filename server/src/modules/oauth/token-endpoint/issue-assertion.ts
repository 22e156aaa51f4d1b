import { type OAuthClientId, parseSessionId, type SessionId } from '@keywright/contract/ids';
import { ASSERTION_SECONDS } from '@keywright/contract/records/identity-assertions';
import type { ClientTokenAnswer } from '@keywright/contract/records/tokens';
import { TOKEN_TYPE } from '@keywright/contract/routes/token';
import { type Clock, epochSeconds } from '../../../platform/clock.ts';
import { randomId } from '../../../platform/crypto/ids.ts';
import type { Gate, TenantTx } from '../../../tenancy/gate.ts';
import type { NoteUse } from '../../../tenancy/uses.ts';
import { record } from '../../events/journal/index.ts';
import { readRefreshToken } from '../../tokens/access-tokens/index.ts';
import { findUsableRefreshToken, findVouchable } from '../../tokens/sessions/index.ts';
import type { SignJwt, VerifyOwnJwt } from '../../tokens/signing-keys/index.ts';
import {
  ASSERTION_TYP,
  type AssertedGrant,
  decideAssertion,
} from '../identity-assertions/index.ts';
import { requireField } from './application-answer.ts';
import type { Application } from './application.ts';
import { boundTo, needsKey } from './bound-to.ts';
import { refuseField } from './exchange-parameters.ts';
import type { Refuse, TokenEndpointRequest } from './request.ts';

export interface IssueDependencies {
  readonly gate: Gate;
  readonly clock: Clock;
  readonly signJwt: SignJwt;
  readonly verifyOwnJwt: VerifyOwnJwt;
  readonly noteClientUse: NoteUse<OAuthClientId>;
}

/**
 * draft-ietf-oauth-identity-assertion-authz-grant: asserts to another authorization server who the user of an application
 * is, and what the administrators let the application do there. The application has the grant of exchanges.
 */
export async function issueAssertion(
  dependencies: IssueDependencies,
  request: TokenEndpointRequest,
  client: Application,
  fail: Refuse,
): Promise<ClientTokenAnswer> {
  const { gate, clock, signJwt, noteClientUse } = dependencies;
  const { tenant, parameters, key } = request;
  const asserted = decideAssertion(client.identity_assertions.audiences, parameters);
  if (asserted === 'scope') return fail('SCOPE_INVALID');
  if (typeof asserted === 'string') return fail('TARGET_INVALID', NOT_ALLOWED);
  const sessionId = await findSession(dependencies, request, client, fail);
  const jkt = await boundTo(key, needsKey(tenant, client, undefined), fail);
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
  const token = await signJwt(tenant.id, { alg, typ: ASSERTION_TYP, claims });
  noteClientUse(tenant.id, client.id);
  return {
    access_token: token,
    token_type: 'N_A',
    expires_in: exp - now,
    scope: asserted.scopes.join(' '),
    issued_token_type: TOKEN_TYPE.idJag,
  };
}

interface Voucher {
  readonly client: Application;
  readonly sessionId: SessionId;
  readonly asserted: AssertedGrant;
}

type Vouchable = NonNullable<Awaited<ReturnType<typeof findVouchable>>>;

/** The session, if it is alive; recorded: no assertion without an audit entry. */
async function vouchWithin(
  tx: TenantTx,
  { from }: TokenEndpointRequest,
  { client: { id: clientId }, sessionId, asserted }: Voucher,
  fail: Refuse,
): Promise<Vouchable> {
  const session = await findVouchable(tx, sessionId, clientId);
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

function claimsOf({ audience, resource, scopes }: AssertedGrant, session: Vouchable) {
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
    // As in ID tokens: what the user let this application know.
    ...(session.scopes.includes('email') && email !== null && { email, email_verified: true }),
  };
}

const NOT_ALLOWED = {
  detail: 'The client is not allowed to get assertions for this audience and resource.',
};

/** The session of this client that the subject token is of. @throws AppError EXCHANGE_REFUSED */
async function findSession(
  dependencies: IssueDependencies,
  { tenant, parameters, key }: TokenEndpointRequest,
  client: Application,
  fail: Refuse,
): Promise<SessionId> {
  const { subject_token_type: type } = parameters;
  const token = parameters.subject_token ?? requireField('subject_token', fail);
  const refuse = (internal: string) => fail('EXCHANGE_REFUSED', { internal });
  if (type === TOKEN_TYPE.refreshToken) {
    const claims = await findUsableRefreshToken(dependencies, tenant, token);
    const bound = readRefreshToken(token)?.client?.jkt;
    if (claims?.client_id !== client.id) return refuse('subject_token');
    if (bound !== undefined && bound !== key?.jkt) return refuse('subject_token_bound');
    return sessionIn(claims) ?? refuse('subject_token');
  }
  if (type !== TOKEN_TYPE.idToken) {
    return refuseField(
      'subject_token_type',
      `must be ${TOKEN_TYPE.idToken} or ${TOKEN_TYPE.refreshToken}`,
      fail,
    );
  }
  const claims = await dependencies.verifyOwnJwt(tenant, token, ID_TOKEN);
  return claims && claims['aud'] === client.id
    ? (sessionIn(claims) ?? refuse('subject_token'))
    : refuse('subject_token');
}

const ID_TOKEN = { kind: 'ID token', allowExpired: false, retiredToo: false } as const;

function sessionIn({ sid }: Readonly<Record<string, unknown>>): SessionId | undefined {
  return typeof sid === 'string' ? parseSessionId(sid) : undefined;
}

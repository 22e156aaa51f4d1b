import { scopeChallenge } from '@keywright/contract/assurance';
import type { AccessTokenClaims } from '@keywright/contract/claims';
import type { Fail } from '@keywright/contract/errors';
import type { FailureOptions } from '@keywright/contract/failure-options';
import { parseOAuthClientId, parseUserId } from '@keywright/contract/ids';
import type { Userinfo } from '@keywright/contract/routes/userinfo';
import { batched } from '../../../platform/db/calls.ts';
import { OtherFormat, type Prepared, preparedOf } from '../../../platform/http/replies.ts';
import type { PresentedCredential } from '../../../tenancy/caller.ts';
import type { Gate } from '../../../tenancy/gate.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import type { BearerService } from '../../authentication/bearer/index.ts';
import type { Dpop } from '../../tokens/access-tokens/index.ts';
import type { ApplicationJwts } from '../../tokens/signing-keys/index.ts';
import { requireOAuth } from '../clients/index.ts';
import { type SubjectIdentifiers, claimsOf } from '../id-tokens/index.ts';
import { type SessionClaims, type SessionUser, findSessionUsers } from './userinfo-store.ts';

type RefuseUserinfo = Fail<'TOKEN_INVALID' | 'TENANT_MISMATCH' | 'OAUTH_OFF' | 'SCOPE_REQUIRED'>;

const TOKEN_REJECTED: FailureOptions = { challenge: 'Bearer error="invalid_token"' };

const SCOPE_INSUFFICIENT: FailureOptions = {
  detail: 'The token lacks: openid.',
  challenge: scopeChallenge(['openid']),
};

/** The claims about a user for the client of an access token (OpenID Connect Core §5.3). */
export class UserinfoService {
  readonly #bearer: BearerService;
  readonly #dpop: Dpop;
  readonly #subjects: SubjectIdentifiers;
  readonly #jwts: ApplicationJwts;
  readonly #findUser: (claims: SessionClaims) => Promise<SessionUser | undefined>;

  constructor(
    gate: Gate,
    bearer: BearerService,
    dpop: Dpop,
    subjects: SubjectIdentifiers,
    jwts: ApplicationJwts,
  ) {
    this.#bearer = bearer;
    this.#dpop = dpop;
    this.#subjects = subjects;
    this.#jwts = jwts;
    this.#findUser = batched((claims: readonly SessionClaims[]) => findSessionUsers(gate, claims), {
      size: 64,
      flights: 1,
    });
  }

  async read(
    tenant: Tenant,
    credential: PresentedCredential,
    fail: RefuseUserinfo,
  ): Promise<Prepared<Userinfo>> {
    requireOAuth(tenant, fail);
    const { token } = credential;
    const refuse: RefuseUserinfo = (code) => fail(code, TOKEN_REJECTED);
    // Checks everything except that the session is active, which the statement below decides.
    const claims = await this.#bearer.readClaims(tenant, token, refuse);
    await this.#dpop.requireBinding(tenant, claims, credential, fail);
    const session = sessionOf(claims);
    const scopes = claims.scope.split(' ');
    if (!session || !scopes.includes('openid')) {
      await this.#bearer.verifyToken(tenant, token, refuse);
      return fail('SCOPE_REQUIRED', SCOPE_INSUFFICIENT);
    }
    const user =
      (await this.#findUser({ tenantId: tenant.id, ...session })) ?? refuse('TOKEN_INVALID');
    const sub = await this.#subjects.of(tenant.id, user, session.userId);
    const body = { sub, ...claimsOf(user, scopes, user.requested_claims) };
    if (user.algorithm === null) return preparedOf<Userinfo>(body);
    const signed = { iss: tenant.issuer, aud: session.clientId, ...body };
    const jwt = { alg: user.algorithm, typ: 'JWT', claims: signed } as const;
    return new OtherFormat('application/jwt', await this.#jwts.sign(tenant.id, jwt));
  }
}

/** Returns the session of an OAuth client; undefined for any other token. */
function sessionOf({ sub, sid, ver: version, client_id: client, act }: AccessTokenClaims) {
  const [userId, clientId] = [parseUserId(sub), parseOAuthClientId(client)];
  const isOfClient = userId && clientId && sid !== undefined && act === undefined;
  return isOfClient ? { sessionId: sid, version, userId, clientId } : undefined;
}

import { scopeChallenge } from '@keywright/contract/assurance';
import type { AccessTokenClaims } from '@keywright/contract/claims';
import type { Fail } from '@keywright/contract/errors';
import type { FailureOptions } from '@keywright/contract/failure-options';
import { parseOAuthClientId, parseUserId } from '@keywright/contract/ids';
import type { Userinfo } from '@keywright/contract/routes/userinfo';
import { OtherFormat, type Prepared, preparedOf } from '../../../platform/http/replies.ts';
import type { PresentedCredential } from '../../../tenancy/presented.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import type { BearerService } from '../../authentication/bearer/index.ts';
import type { Dpop } from '../../tokens/access-tokens/index.ts';
import type { SignJwt } from '../../tokens/signing-keys/index.ts';
import { claimsOf, type SubjectFor } from '../id-tokens/index.ts';
import { requireOAuth } from '../clients/index.ts';
import type { FindTold } from './userinfo-store.ts';

type Refuse = Fail<'TOKEN_INVALID' | 'TENANT_MISMATCH' | 'OAUTH_OFF' | 'SCOPE_REQUIRED'>;

/** What the client of an access token is told of its user (OpenID Connect Core §5.3.2). */
export type Tell = (
  tenant: Tenant,
  credential: PresentedCredential,
  fail: Refuse,
) => Promise<Prepared<Userinfo>>;

interface Dependencies {
  /** All checks of a token but whether it is alive, which the statement here answers. */
  readonly bearer: BearerService;
  readonly dpop: Dpop;
  readonly find: FindTold;
  readonly signJwt: SignJwt;
  readonly subjectFor: SubjectFor;
}

const REJECTED: FailureOptions = { challenge: 'Bearer error="invalid_token"' };

const INSUFFICIENT: FailureOptions = {
  detail: 'The token lacks: openid.',
  challenge: scopeChallenge(['openid']),
};

export function createTell(dependencies: Dependencies): Tell {
  const { bearer, dpop, find, signJwt, subjectFor } = dependencies;
  return async (tenant, credential, fail) => {
    requireOAuth(tenant, fail);
    const { token } = credential;
    const refuse: Refuse = (code) => fail(code, REJECTED);
    const claims = await bearer.readClaims(tenant, token, refuse);
    await dpop.requireBinding(tenant, claims, credential, fail);
    const session = sessionOf(claims);
    const scopes = claims.scope.split(' ');
    if (!session || !scopes.includes('openid')) {
      await bearer.verifyToken(tenant, token, refuse);
      return fail('SCOPE_REQUIRED', INSUFFICIENT);
    }
    const told = (await find({ tenantId: tenant.id, ...session })) ?? refuse('TOKEN_INVALID');
    const sub = await subjectFor(tenant.id, told, session.userId);
    const body = { sub, ...claimsOf(told, scopes, told.asked) };
    if (told.algorithm === null) return preparedOf<Userinfo>(body);
    const signed = { iss: tenant.issuer, aud: session.clientId, ...body };
    const jwt = { alg: told.algorithm, typ: 'JWT', claims: signed } as const;
    return new OtherFormat('application/jwt', await signJwt(tenant.id, jwt));
  };
}

/** The session of an OAuth client; nothing for any other token. */
function sessionOf({ sub, sid, ver: version, client_id: client, act }: AccessTokenClaims) {
  const [userId, clientId] = [parseUserId(sub), parseOAuthClientId(client)];
  const isClients = userId && clientId && sid !== undefined && act === undefined;
  return isClients ? { sessionId: sid, version, userId, clientId } : undefined;
}

import { type Clock, epochSeconds } from '../../../platform/clock.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import type { SignJwt } from '../../tokens/signing-keys/index.ts';
import type { Asker, Status } from './service.ts';

/** The answer as a JWT for whoever asked (RFC 9701 §5). Its type is none of a token: it authenticates nobody. */
export type SignIntrospection = (tenant: Tenant, asker: Asker, status: Status) => Promise<string>;

export function createSignIntrospection(signJwt: SignJwt, clock: Clock): SignIntrospection {
  return ({ id, issuer }, asker, status) =>
    signJwt(id, {
      alg: asker.algorithm,
      typ: 'token-introspection+jwt',
      claims: {
        iss: issuer,
        aud: asker.id,
        iat: epochSeconds(clock.now()),
        token_introspection: status,
      },
    });
}

import { type Clock, epochSeconds } from '../../../platform/clock.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import type { SignJwt } from '../../tokens/signing-keys/index.ts';
import { type Answer, parametersOf } from './reply.ts';
import type { ReplyTo } from './request.ts';

/** JARM §2.1 recommends at most ten minutes. */
const LIFETIME_SECONDS = 600;

export interface ReplySigner {
  readonly signJwt: SignJwt;
  readonly clock: Clock;
}

/** The parameters of the response; if the client requests a signed response, one JWT of them (JARM §2.1). */
export async function responseTo(
  { signJwt, clock }: ReplySigner,
  { id, issuer }: Tenant,
  to: ReplyTo,
  answer: Answer,
): Promise<ReadonlyMap<string, string>> {
  const parameters = parametersOf(to, answer, issuer);
  if (!to.signedFor) return parameters;
  const { clientId: aud, algorithm: alg } = to.signedFor;
  const exp = epochSeconds(clock.now()) + LIFETIME_SECONDS;
  const claims = { ...Object.fromEntries(parameters), iss: issuer, aud, exp };
  return new Map([['response', await signJwt(id, { alg, typ: 'JWT', claims })]]);
}

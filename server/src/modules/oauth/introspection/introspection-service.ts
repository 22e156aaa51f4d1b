import type { CredentialClaims } from '@keywright/contract/claims';
import type { Fail } from '@keywright/contract/errors';
import type { KeyAlgorithm } from '@keywright/contract/records/signing-key';
import type { BodyOf, ErrorsOf, OkOf } from '@keywright/contract/route';
import type { introspectToken } from '@keywright/contract/routes/introspection';
import { type Clock, epochSeconds } from '../../../platform/clock.ts';
import type { Gate } from '../../../tenancy/gate.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import type { BearerService } from '../../authentication/bearer/index.ts';
import { looksLikeApiKey } from '../../machines/api-keys/index.ts';
import { findUsableRefreshToken } from '../../tokens/sessions/index.ts';
import type { SignJwt } from '../../tokens/signing-keys/index.ts';
import type { FindResources } from '../resources/index.ts';
import type { ClientRequest, Identified, Identify } from '../token-endpoint/index.ts';

/** Who asks, and how they verify what is signed for them. */
interface Asker {
  readonly id: string;
  readonly algorithm: KeyAlgorithm;
}

type Status = OkOf<typeof introspectToken>;

/** Whether a token is usable, for a client that may know (RFC 7662). */
export type Introspect = (
  request: ClientRequest<BodyOf<typeof introspectToken>>,
  fail: Fail<ErrorsOf<typeof introspectToken>>,
) => Promise<{ readonly asker: Asker; readonly status: Status }>;

interface Dependencies {
  readonly gate: Gate;
  readonly clock: Clock;
  readonly identify: Identify;
  readonly bearer: BearerService;
  readonly findResources: FindResources;
}

export function createIntrospect(dependencies: Dependencies): Introspect {
  const { identify } = dependencies;
  return async (request, fail) => {
    const { tenant, parameters } = request;
    return identify.either(request, fail, async (who) => {
      const asker = askerOf(who) ?? fail('CLIENT_INVALID', PUBLIC);
      const status = await statusOf(dependencies, tenant, parameters.token, asker);
      return { asker, status: status ?? { active: false } };
    });
  };
}

/** RFC 7662 §2.1: whoever asks is authenticated, or anybody could try tokens. */
const PUBLIC = { internal: 'public client' };

function askerOf(who: Identified): Asker | undefined {
  if ('agent' in who) return { id: who.agent.agentId, algorithm: 'EdDSA' };
  const { id, token_endpoint_auth_method: method, id_token_signed_response_alg } = who.application;
  return method === 'none' ? undefined : { id, algorithm: id_token_signed_response_alg };
}

async function statusOf(
  dependencies: Dependencies,
  tenant: Tenant,
  token: string,
  asker: Asker,
): Promise<Status | undefined> {
  const { bearer } = dependencies;
  if (looksLikeApiKey(token)) {
    const claims = await bearer.findActive(tenant, token);
    return claims?.client_id === asker.id ? activeWith(claims) : undefined;
  }
  const claims = await bearer.findIssued(tenant, token);
  if (!claims) {
    const refresh = await findUsableRefreshToken(dependencies, tenant, token);
    return refresh?.client_id === asker.id ? { ...refresh, active: true } : undefined;
  }
  if (!(await mayKnow(dependencies, tenant, asker, claims))) return undefined;
  if (!(await bearer.isUsable(claims))) return undefined;
  return activeWith(claims);
}

/** RFC 7662 §2.2 has another use for the name `token_type` than the claim. */
function activeWith(claims: CredentialClaims): Status {
  return { ...claims, token_type: claims.cnf ? 'DPoP' : 'Bearer', active: true };
}

/** The client that it was issued to, and whoever serves the resource that it is for. */
async function mayKnow(
  { findResources }: Dependencies,
  tenant: Tenant,
  { id }: Asker,
  { client_id: clientId, aud }: CredentialClaims,
): Promise<boolean> {
  if (aud === tenant.audience) return clientId === id;
  const resource = (await findResources(tenant.id)).at(aud);
  return resource !== undefined && (clientId === id || resource.servedBy.includes(id));
}

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

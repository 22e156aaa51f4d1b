import type { AccessTokenClaims } from '@keywright/contract/claims';
import type { Fail } from '@keywright/contract/errors';
import { parseOAuthClientId, parseUserId } from '@keywright/contract/ids';
import type { BodyOf, ErrorsOf } from '@keywright/contract/route';
import type { revokeToken } from '@keywright/contract/routes/revocation';
import type { Gate } from '../../../tenancy/gate.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import type { BearerService } from '../../authentication/bearer/index.ts';
import { firstActor } from '../../tokens/grants/index.ts';
import { endByClient, findRefreshable } from '../../tokens/sessions/index.ts';
import type { ClientRequest, Identify } from '../token-endpoint/index.ts';

/** Ends the session of a token for the client that it was issued to (RFC 7009). */
export type Revoke = (
  request: ClientRequest<BodyOf<typeof revokeToken>>,
  fail: Fail<ErrorsOf<typeof revokeToken>>,
) => Promise<void>;

interface Dependencies {
  readonly gate: Gate;
  readonly identify: Identify;
  readonly bearer: BearerService;
}

const ANOTHER_CLIENTS = { detail: 'The token was not issued to this client.' };

export function createRevoke({ gate, identify, bearer }: Dependencies): Revoke {
  /** Undefined unless it is a token of the tenant; without a client unless it is one of an application. */
  async function find(tenant: Tenant, token: string) {
    const claims = await bearer.findIssued(tenant, token);
    if (!claims) return findRefreshable(gate, tenant, token);
    const { sid: sessionId, sub } = claims;
    const [userId, clientId] = [parseUserId(sub), parseOAuthClientId(ownerOf(claims))];
    return { sessionId, userId, clientId };
  }

  return async (request, fail) => {
    const { tenant, parameters, from } = request;
    const client = await identify.application(request, fail);
    const found = await find(tenant, parameters.token);
    // RFC 7009 §2.2: it cannot be used, which is what the client wants.
    if (!found) return;
    const { sessionId, userId, clientId } = found;
    // RFC 7009 §2.1.
    if (clientId !== client.id) return fail('CLIENT_UNAUTHORIZED', ANOTHER_CLIENTS);
    if (sessionId === undefined || userId === undefined) return;
    const by = { kind: 'app', subject: userId, clientId: client.id, sessionId, from } as const;
    await endByClient(gate, tenant, by, sessionId);
  };
}

/** The client whose session it is: not one that exchanged its token for this one. */
function ownerOf({ client_id: clientId, act }: AccessTokenClaims): string {
  return act ? firstActor(act).sub : clientId;
}

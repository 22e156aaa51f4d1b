import type { AccessTokenClaims } from '@keywright/contract/claims';
import type { Fail } from '@keywright/contract/errors';
import { parseOAuthClientId, parseUserId } from '@keywright/contract/ids';
import type { BodyOf, ErrorsOf } from '@keywright/contract/route';
import type { revokeToken } from '@keywright/contract/routes/revocation';
import type { Gate } from '../../../tenancy/gate.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import type { BearerService } from '../../authentication/bearer/index.ts';
import { firstActor } from '../../tokens/grants/index.ts';
import { endSession, findRefreshable } from '../../tokens/sessions/index.ts';
import type { ClientAuthentication, ClientRequest } from '../token-endpoint/index.ts';

const OF_ANOTHER_CLIENT = { detail: 'The token was not issued to this client.' };

/** Ends the session of a token on request of the client to which it was issued (RFC 7009). */
export class RevocationService {
  readonly #gate: Gate;
  readonly #authentication: ClientAuthentication;
  readonly #bearer: BearerService;

  constructor(gate: Gate, authentication: ClientAuthentication, bearer: BearerService) {
    this.#gate = gate;
    this.#authentication = authentication;
    this.#bearer = bearer;
  }

  async revoke(
    request: ClientRequest<BodyOf<typeof revokeToken>>,
    fail: Fail<ErrorsOf<typeof revokeToken>>,
  ): Promise<void> {
    const { tenant, parameters, from } = request;
    const client = await this.#authentication.client(request, fail);
    const session = await this.#findSession(tenant, parameters.token);
    // RFC 7009 §2.2: the token is already unusable, as the client intended.
    if (!session) return;
    const { sessionId, userId, clientId } = session;
    // RFC 7009 §2.1.
    if (clientId !== client.id) return fail('CLIENT_UNAUTHORIZED', OF_ANOTHER_CLIENT);
    if (sessionId === undefined || userId === undefined) return;
    const by = { kind: 'app', subject: userId, clientId: client.id, sessionId, from } as const;
    await this.#gate.into(tenant.id).transaction((tx) => endSession(tx, by, sessionId, 'revoked'));
  }

  /**
   * Returns the session of a token; undefined if this tenant did not issue it. The client is undefined unless the
   * session belongs to one.
   */
  async #findSession(tenant: Tenant, token: string) {
    const claims = await this.#bearer.findIssued(tenant, token);
    if (!claims) return findRefreshable(this.#gate, tenant, token);
    const { sid: sessionId, sub } = claims;
    const [userId, clientId] = [parseUserId(sub), parseOAuthClientId(ownerOf(claims))];
    return { sessionId, userId, clientId };
  }
}

/** Returns the client to which the session belongs, not a client that exchanged its token for this one. */
function ownerOf({ client_id: clientId, act }: AccessTokenClaims): string {
  return act ? firstActor(act).sub : clientId;
}

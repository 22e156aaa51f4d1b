import { DEVICE_GRANT } from '@keywright/contract/records/client-grants';
import type { ClientTokenAnswer } from '@keywright/contract/records/tokens';
import type { LoadedClient } from '../clients/index.ts';
import type { DeviceGrants } from '../grants/index.ts';
import type { ClientAuthentication } from './client-authentication.ts';
import {
  type Grant,
  type RefuseGrant,
  type TokenRequest,
  requireGrantType,
  requireParameter,
} from './token-request.ts';
import type { GrantRedemption } from './token-response.ts';

/** RFC 8628 §3.5. */
const ERRORS = {
  unknown: 'GRANT_INVALID',
  pending: 'AUTHORIZATION_PENDING',
  too_soon: 'SLOW_DOWN',
  denied: 'DEVICE_DENIED',
  expired: 'DEVICE_CODE_EXPIRED',
} as const;

/** RFC 8628 §3.4: exchanges a device code for the tokens of a client on a device. */
export class DeviceCodeGrant implements Grant {
  readonly #authentication: ClientAuthentication;
  readonly #deviceGrants: DeviceGrants;
  readonly #redemption: GrantRedemption;

  constructor(
    authentication: ClientAuthentication,
    deviceGrants: DeviceGrants,
    redemption: GrantRedemption,
  ) {
    this.#authentication = authentication;
    this.#deviceGrants = deviceGrants;
    this.#redemption = redemption;
  }

  issue(request: TokenRequest, fail: RefuseGrant): Promise<ClientTokenAnswer> {
    return this.#authentication.withIdentifiedClient(request, fail, (client) =>
      this.#poll(request, client, fail),
    );
  }

  /**
   * With an outdated client, the response reveals at most the state of the decision: opening the session compares the
   * version.
   */
  async #poll(
    request: TokenRequest,
    client: LoadedClient,
    fail: RefuseGrant,
  ): Promise<ClientTokenAnswer | 'stale'> {
    const { tenant, parameters } = request;
    requireGrantType(client, DEVICE_GRANT, fail);
    const code = parameters.device_code ?? requireParameter('device_code', fail);
    const polled = await this.#deviceGrants.poll(tenant.id, client.id, code);
    if (polled.outcome !== 'approved') return fail(ERRORS[polled.outcome]);
    const { outcome: _outcome, ...granted } = polled;
    return this.#redemption.redeem(request, client, { ...granted, clientId: client.id }, fail);
  }
}

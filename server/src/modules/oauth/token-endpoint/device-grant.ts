import { DEVICE_GRANT } from '@keywright/contract/records/client-grants';
import type { ClientTokenAnswer } from '@keywright/contract/records/tokens';
import type { DeviceGrants } from '../device-grants/index.ts';
import { requireField, requireGrant } from './application-answer.ts';
import type { Application } from './application.ts';
import type { Identify } from './identify.ts';
import { type RedeemDependencies, redeemGranted } from './redeem-granted.ts';
import type { IssueToken, Refuse, TokenEndpointRequest } from './request.ts';

interface Dependencies extends RedeemDependencies {
  readonly identify: Identify;
  readonly deviceGrants: DeviceGrants;
}

/** RFC 8628 §3.5. */
const ANSWERS = {
  unknown: 'GRANT_INVALID',
  pending: 'AUTHORIZATION_PENDING',
  too_soon: 'SLOW_DOWN',
  denied: 'DEVICE_DENIED',
  expired: 'DEVICE_CODE_EXPIRED',
} as const;

/** RFC 8628 §3.4: the tokens that a user granted to an application on a device. */
export function createDeviceGrant(dependencies: Dependencies): IssueToken {
  return (request, fail) =>
    dependencies.identify.knownApplication(request, fail, (client) =>
      poll(dependencies, request, client, fail),
    );
}

/** A client that has changed learns at most that nobody has decided: its tokens are compared with its version. */
async function poll(
  dependencies: Dependencies,
  request: TokenEndpointRequest,
  client: Application,
  fail: Refuse,
): Promise<ClientTokenAnswer | 'stale'> {
  const { tenant, parameters } = request;
  requireGrant(client, DEVICE_GRANT, fail);
  const code = parameters.device_code ?? requireField('device_code', fail);
  const polled = await dependencies.deviceGrants.poll(tenant.id, client.id, code);
  if (polled.outcome !== 'approved') return fail(ANSWERS[polled.outcome]);
  const { outcome: _outcome, ...granted } = polled;
  return redeemGranted(dependencies, request, client, { ...granted, clientId: client.id }, fail);
}

import type { Fail } from '@keywright/contract/errors';
import { DEVICE_GRANT } from '@keywright/contract/records/client-grants';
import type { BodyOf, ErrorsOf, OkOf } from '@keywright/contract/route';
import { type authorizeDevice, showDevice } from '@keywright/contract/routes/device';
import type { Clock } from '../../../platform/clock.ts';
import { pathAtIssuer } from '../../../tenancy/issuer-paths.ts';
import type { Gate } from '../../../tenancy/gate.ts';
import { requireRoomOfAddress } from '../../authentication/attempts/index.ts';
import type { Clients, KnownClient } from '../clients/index.ts';
import type { DeviceGrants } from '../device-grants/index.ts';
import { type FindResources, knownResources } from '../resources/index.ts';
import type { ClientRequest, Identify } from '../token-endpoint/index.ts';
import { admitNamed } from './admit-named.ts';
import { readScopesAndTargets } from './asked-scopes.ts';

/** Public clients do not authenticate, so anyone can start logins in their name. */
const LIMITS = { login_attempts_limit: 300, login_attempts_window: 60 };

type RefuseDeviceRequest = Fail<ErrorsOf<typeof authorizeDevice>>;
type DeviceRequest = ClientRequest<BodyOf<typeof authorizeDevice>>;
type DeviceAnswer = OkOf<typeof authorizeDevice>;

interface DeviceDependencies {
  readonly gate: Gate;
  readonly clock: Clock;
  readonly identify: Identify;
  readonly clients: Clients;
  readonly findResources: FindResources;
  readonly deviceGrants: DeviceGrants;
}

/** Starts a device login of a client that authenticates (RFC 8628 §3.1). */
export function createBeginDevice(
  dependencies: DeviceDependencies,
): (request: DeviceRequest, fail: RefuseDeviceRequest) => Promise<DeviceAnswer> {
  const { identify, clients } = dependencies;
  return async (request, fail) => {
    await admitNamed(clients, request, fail);
    return identify.knownApplication(request, fail, (client) =>
      beginFor(dependencies, request, client, fail),
    );
  };
}

const NOT_ON_DEVICES = { detail: 'Nothing in particular can be allowed on a device.' };

/** @returns `stale` if the client has changed since it was authenticated */
async function beginFor(
  dependencies: DeviceDependencies,
  { tenant, parameters, from }: DeviceRequest,
  client: KnownClient,
  fail: RefuseDeviceRequest,
): Promise<DeviceAnswer | 'stale'> {
  const { clients, deviceGrants, findResources } = dependencies;
  if (client.token_endpoint_auth_method === 'none') {
    const most = { counter: 'device grant' as const, limits: LIMITS };
    await requireRoomOfAddress(dependencies, tenant, from, most, fail);
  }
  if (!(await clients.isCurrent(client))) return 'stale';
  const { scope, resource = [], authorization_details: details } = parameters;
  // RFC 8628 §5.4: the user may have been talked into typing the code, so a payment cannot be approved in this way.
  if (details !== undefined) fail('AUTHORIZATION_DETAILS_INVALID', NOT_ON_DEVICES);
  const uris = [resource].flat();
  const resources = uris.length > 0 ? await findResources(tenant.id) : knownResources([]);
  const asked = readScopesAndTargets({ client, tenant, resources }, scope, uris);
  if ('error' in asked) {
    const code = asked.error === 'invalid_target' ? 'TARGET_INVALID' : 'SCOPE_INVALID';
    return fail(code, { detail: asked.description });
  }
  if (!client.grant_types.includes(DEVICE_GRANT)) fail('CLIENT_UNAUTHORIZED');
  const begun = await deviceGrants.begin(tenant.id, { clientId: client.id, ...asked, from });
  const page = new URL(pathAtIssuer(tenant, showDevice.path), tenant.issuer);
  const complete = new URL(page);
  complete.searchParams.set('user_code', begun.userCode);
  return {
    device_code: begun.deviceCode,
    user_code: begun.userCode,
    verification_uri: page.href,
    verification_uri_complete: complete.href,
    expires_in: begun.expiresInSeconds,
    interval: begun.intervalSeconds,
  };
}

import * as contract from '@keywright/contract/routes/signals';
import type { OkOf } from '@keywright/contract/route';
import {
  deleteClientStream,
  getClientStream,
  listClientStreams,
  updateClientStream,
} from '@keywright/contract/routes/client-streams';
import { getKeySet } from '@keywright/contract/routes/key-set';
import { POLL_ROUTES } from '@keywright/contract/routes/signal-polling';
import {
  CREATE_STREAM_ROUTES,
  READ_STATUS_ROUTES,
  VERIFY_STREAM_ROUTES,
} from '@keywright/contract/routes/signals';
import { TRANSMITTER_ROUTES, type getTransmitter } from '@keywright/contract/routes/transmitter';
import { DELIVERY_METHODS } from '@keywright/contract/signals';
import { preparedOf, Cacheable } from '../../../platform/http/replies.ts';
import { lazy } from '../../../platform/lazy.ts';
import { issuerOf } from '../../../tenancy/directory.ts';
import type { Gate } from '../../../tenancy/gate.ts';
import type { Router } from '../../../tenancy/router.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import { KEY_SET_MAX_AGE_SECONDS } from '../../tokens/signing-keys/index.ts';
import { requireOAuth } from '../clients/index.ts';
import type { Poll } from './signal-polling.ts';
import type { Receiver, Refuse, RequireReceiver } from './signal-receivers.ts';
import type { StreamMeans } from './stream-service.ts';

interface Dependencies extends StreamMeans {
  readonly requireReceiver: RequireReceiver;
  readonly poll: Poll;
}

/** What manages streams, which startup does not need. */
const loadStreams = lazy(() => import('./stream-service.ts'));
const loadAdministration = lazy(() => import('./stream-administration.ts'));

/** Of a request, or of one whose fields are invalid: who is no receiver is told only that (Shared Signals Framework §8.1.1). */
type Admission = (asking: Parameters<RequireReceiver>[0], fail: Refuse) => Promise<Receiver>;

export function bindSignalRoutes(router: Router, dependencies: Dependencies): void {
  router.addAll(TRANSMITTER_ROUTES, ({ tenant }, fail) => {
    requireOAuth(tenant, fail);
    return transmitterOf(tenant, dependencies.baseUrl());
  });
  bindStreams(router, dependencies);
  bindControl(router, dependencies);
}

/** What receivers may do, by the scope of their token. */
function admissionsOf({ requireReceiver }: Pick<Dependencies, 'requireReceiver'>) {
  const managing: Admission = (asking, fail) => requireReceiver(asking, 'ssf.manage', fail);
  const reading: Admission = (asking, fail) => requireReceiver(asking, 'ssf.read', fail);
  return { managing, reading };
}

/** Shared Signals Framework 1.0 §8.1.1. */
function bindStreams(router: Router, dependencies: Dependencies): void {
  const means: StreamMeans = dependencies;
  const { managing, reading } = admissionsOf(dependencies);
  router.addAll(
    contract.CREATE_STREAM_ROUTES,
    async (call, fail) => {
      const receiver = await managing(call, fail);
      return (await loadStreams()).createStream(means, receiver, call.body, fail);
    },
    managing,
  );
  router.addAll(
    contract.READ_STREAM_ROUTES,
    async (call, fail) => {
      const receiver = await reading(call, fail);
      const { readStreams } = await loadStreams();
      return preparedOf(await readStreams(means, receiver, call.query.stream_id, fail));
    },
    reading,
  );
  router.addAll(
    contract.UPDATE_STREAM_ROUTES,
    async (call, fail) => {
      const receiver = await managing(call, fail);
      return (await loadStreams()).changeStream(means, receiver, call.body, false, fail);
    },
    managing,
  );
  router.addAll(
    contract.REPLACE_STREAM_ROUTES,
    async (call, fail) => {
      const receiver = await managing(call, fail);
      return (await loadStreams()).changeStream(means, receiver, call.body, true, fail);
    },
    managing,
  );
  router.addAll(
    contract.DELETE_STREAM_ROUTES,
    async (call, fail) => {
      const receiver = await managing(call, fail);
      return (await loadStreams()).deleteStream(means, receiver, call.query.stream_id, fail);
    },
    managing,
  );
}

/** Shared Signals Framework 1.0 §8.1.2 and §8.1.4, RFC 8936. */
function bindControl(router: Router, dependencies: Dependencies): void {
  const means: StreamMeans = dependencies;
  const { managing, reading } = admissionsOf(dependencies);
  router.addAll(
    contract.READ_STATUS_ROUTES,
    async (call, fail) => {
      const receiver = await reading(call, fail);
      return (await loadStreams()).readStatus(means, receiver, call.query.stream_id, fail);
    },
    reading,
  );
  router.addAll(
    contract.UPDATE_STATUS_ROUTES,
    async (call, fail) => {
      const receiver = await managing(call, fail);
      return (await loadStreams()).changeStatus(means, receiver, call.body, fail);
    },
    managing,
  );
  router.addAll(
    contract.VERIFY_STREAM_ROUTES,
    async (call, fail) => {
      const receiver = await managing(call, fail);
      return (await loadStreams()).verifyStream(means, receiver, call.body, fail);
    },
    managing,
  );
  router.addAll(
    POLL_ROUTES,
    async (call, fail) => {
      const receiver = await managing(call, fail);
      return dependencies.poll(receiver, call.params.stream_id, call.body, fail);
    },
    managing,
  );
}

/** What administrators see and do. */
export function bindClientStreamRoutes(router: Router, gate: Gate): void {
  router.add(listClientStreams, async ({ tenant, params, query }, fail) => {
    const { listStreamsPage } = await loadAdministration();
    return listStreamsPage(gate.into(tenant.id), params.client_id, query, fail);
  });
  router.add(getClientStream, async ({ tenant, params }, fail) => {
    const { getStreamOf } = await loadAdministration();
    return getStreamOf(gate.into(tenant.id), params, fail);
  });
  router.add(updateClientStream, async ({ tenant, caller, params, body }, fail) => {
    const { setStreamStatus } = await loadAdministration();
    return setStreamStatus(gate.into(tenant.id), caller, params, body, fail);
  });
  router.add(deleteClientStream, async ({ tenant, caller, params }, fail) => {
    const { removeStream } = await loadAdministration();
    const id = await removeStream(gate.into(tenant.id), caller, params, fail);
    return { id, deleted: true as const };
  });
}

type Metadata = OkOf<typeof getTransmitter>;

/** What a tenant says of itself as a transmitter (Shared Signals Framework §7.1). */
function transmitterOf(
  { id, issuer }: Pick<Tenant, 'id' | 'issuer'>,
  baseUrl: string,
): Cacheable<Metadata> {
  // An issuer that a tenant brought with it need not lead here.
  const here = issuerOf(id, baseUrl);
  const metadata: Metadata = {
    spec_version: '1_0',
    issuer,
    jwks_uri: `${here}${getKeySet.path}`,
    delivery_methods_supported: [DELIVERY_METHODS.push, DELIVERY_METHODS.poll],
    configuration_endpoint: `${here}${CREATE_STREAM_ROUTES[0].path}`,
    status_endpoint: `${here}${READ_STATUS_ROUTES[0].path}`,
    verification_endpoint: `${here}${VERIFY_STREAM_ROUTES[0].path}`,
    critical_subject_members: ['user'],
    authorization_schemes: [{ spec_urn: 'urn:ietf:rfc:6749' }],
    default_subjects: 'ALL',
  };
  return new Cacheable(JSON.stringify(metadata), KEY_SET_MAX_AGE_SECONDS);
}

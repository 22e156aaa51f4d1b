import {
  deleteClientStream,
  getClientStream,
  listClientStreams,
  updateClientStream,
} from '@keywright/contract/routes/client-streams';
import { getKeySet } from '@keywright/contract/routes/key-set';
import { POLL_ROUTES } from '@keywright/contract/routes/signal-polling';
import * as contract from '@keywright/contract/routes/signals';
import { type getTransmitter, TRANSMITTER_ROUTES } from '@keywright/contract/routes/transmitter';
import type { OkOf } from '@keywright/contract/route';
import { DELIVERY_METHODS } from '@keywright/contract/signals';
import { Cacheable, preparedOf } from '../../../platform/http/replies.ts';
import { issuerOf } from '../../../tenancy/directory.ts';
import type { Router } from '../../../tenancy/router.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import { KEY_SET_MAX_AGE_SECONDS } from '../../tokens/signing-keys/index.ts';
import { requireOAuth } from '../clients/index.ts';
import type { SignalPolling } from './signal-polling.ts';
import type { RefuseReceiver, SignalReceivers } from './signal-receivers.ts';
import type { StreamAdministration } from './stream-administration.ts';
import type { StreamService } from './stream-service.ts';

type ReceiverRequest = Parameters<SignalReceivers['requireReader']>[0];

/** Loads a service that is not needed at startup. */
type Load<Service> = () => Promise<Service>;

/** Serves the metadata of a tenant as a transmitter (Shared Signals Framework §7.1). */
export function bindTransmitterRoutes(router: Router, baseUrl: () => string): void {
  router.addAll(TRANSMITTER_ROUTES, ({ tenant }, fail) => {
    requireOAuth(tenant, fail);
    return transmitterOf(tenant, baseUrl());
  });
}

type Metadata = OkOf<typeof getTransmitter>;

function transmitterOf(
  { id, issuer }: Pick<Tenant, 'id' | 'issuer'>,
  baseUrl: string,
): Cacheable<Metadata> {
  // The tenant's custom issuer can point elsewhere; its standard issuer points here.
  const here = issuerOf(id, baseUrl);
  const metadata: Metadata = {
    spec_version: '1_0',
    issuer,
    jwks_uri: `${here}${getKeySet.path}`,
    delivery_methods_supported: [DELIVERY_METHODS.push, DELIVERY_METHODS.poll],
    configuration_endpoint: `${here}${contract.CREATE_STREAM_ROUTES[0].path}`,
    status_endpoint: `${here}${contract.READ_STATUS_ROUTES[0].path}`,
    verification_endpoint: `${here}${contract.VERIFY_STREAM_ROUTES[0].path}`,
    critical_subject_members: ['user'],
    authorization_schemes: [{ spec_urn: 'urn:ietf:rfc:6749' }],
    default_subjects: 'ALL',
  };
  return new Cacheable(JSON.stringify(metadata), KEY_SET_MAX_AGE_SECONDS);
}

/**
 * Returns the checks of a caller, which also run if the fields of the request are invalid: a caller that is not a
 * receiver learns only that (Shared Signals Framework §8.1.1).
 */
function admissionsOf(receivers: SignalReceivers) {
  return {
    managing: (request: ReceiverRequest, fail: RefuseReceiver) =>
      receivers.requireManager(request, fail),
    reading: (request: ReceiverRequest, fail: RefuseReceiver) =>
      receivers.requireReader(request, fail),
  };
}

/** Shared Signals Framework 1.0 §8.1.1. */
export function bindStreamRoutes(
  router: Router,
  receivers: SignalReceivers,
  load: Load<StreamService>,
): void {
  const { managing, reading } = admissionsOf(receivers);
  router.addAll(
    contract.CREATE_STREAM_ROUTES,
    async (call, fail) => {
      const receiver = await managing(call, fail);
      return (await load()).create(receiver, call.body, fail);
    },
    managing,
  );
  router.addAll(
    contract.READ_STREAM_ROUTES,
    async (call, fail) => {
      const receiver = await reading(call, fail);
      return preparedOf(await (await load()).read(receiver, call.query.stream_id, fail));
    },
    reading,
  );
  router.addAll(
    contract.UPDATE_STREAM_ROUTES,
    async (call, fail) => {
      const receiver = await managing(call, fail);
      return (await load()).update(receiver, call.body, fail);
    },
    managing,
  );
  router.addAll(
    contract.REPLACE_STREAM_ROUTES,
    async (call, fail) => {
      const receiver = await managing(call, fail);
      return (await load()).replace(receiver, call.body, fail);
    },
    managing,
  );
  router.addAll(
    contract.DELETE_STREAM_ROUTES,
    async (call, fail) => {
      const receiver = await managing(call, fail);
      return (await load()).remove(receiver, call.query.stream_id, fail);
    },
    managing,
  );
}

/** Shared Signals Framework 1.0 §8.1.2 and §8.1.4, RFC 8936. */
export function bindControlRoutes(
  router: Router,
  receivers: SignalReceivers,
  load: Load<StreamService>,
  polling: SignalPolling,
): void {
  const { managing, reading } = admissionsOf(receivers);
  router.addAll(
    contract.READ_STATUS_ROUTES,
    async (call, fail) => {
      const receiver = await reading(call, fail);
      return (await load()).readStatus(receiver, call.query.stream_id, fail);
    },
    reading,
  );
  router.addAll(
    contract.UPDATE_STATUS_ROUTES,
    async (call, fail) => {
      const receiver = await managing(call, fail);
      return (await load()).changeStatus(receiver, call.body, fail);
    },
    managing,
  );
  router.addAll(
    contract.VERIFY_STREAM_ROUTES,
    async (call, fail) => {
      const receiver = await managing(call, fail);
      return (await load()).verify(receiver, call.body, fail);
    },
    managing,
  );
  router.addAll(
    POLL_ROUTES,
    async (call, fail) => {
      const receiver = await managing(call, fail);
      return polling.poll(receiver, call.params.stream_id, call.body, fail);
    },
    managing,
  );
}

/** The routes of administrators. */
export function bindClientStreamRoutes(router: Router, load: Load<StreamAdministration>): void {
  router.add(listClientStreams, async ({ tenant, params, query }, fail) =>
    (await load()).list(tenant, params.client_id, query, fail),
  );
  router.add(getClientStream, async ({ tenant, params }, fail) =>
    (await load()).get(tenant, params, fail),
  );
  router.add(updateClientStream, async ({ tenant, caller, params, body }, fail) =>
    (await load()).setStatus(tenant, caller, params, body, fail),
  );
  router.add(deleteClientStream, async ({ tenant, caller, params }, fail) => ({
    id: await (await load()).remove(tenant, caller, params, fail),
    deleted: true as const,
  }));
}

import type { OkOf } from '@keywright/contract/route';
import {
  deleteClientStream,
  getClientStream,
  listClientStreams,
  updateClientStream,
} from '@keywright/contract/routes/client-streams';
import { getKeySet } from '@keywright/contract/routes/key-set';
import { POLL_ROUTES } from '@keywright/contract/routes/signal-polling';
import * as contract from '@keywright/contract/routes/signals';
import { TRANSMITTER_ROUTES, type getTransmitter } from '@keywright/contract/routes/transmitter';
import { DELIVERY_METHODS } from '@keywright/contract/signals';
import { Cacheable, preparedOf } from '../../../platform/http/replies.ts';
import { lazy } from '../../../platform/lazy.ts';
import { issuerOf } from '../../../tenancy/directory.ts';
import { defineModule } from '../../../tenancy/module.ts';
import type { Router } from '../../../tenancy/router.ts';
import { DAY_SECONDS, expiring } from '../../../tenancy/sweep-store.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import { accessTokensModule } from '../../tokens/access-tokens/module.ts';
import { KEY_SET_MAX_AGE_SECONDS } from '../../tokens/signing-keys/index.ts';
import { signingKeysModule } from '../../tokens/signing-keys/module.ts';
import { requireOAuth } from '../clients/index.ts';
import { clientsModule } from '../clients/module.ts';
import { idTokensModule } from '../id-tokens/module.ts';
import { SecurityEvents } from './security-event.ts';
import { PollWaiters, SignalPolling } from './signal-polling.ts';
import { MOST_WAITING, SignalQueue } from './signal-queue.ts';
import { type RefuseReceiver, SignalReceivers, SignalTokens } from './signal-receivers.ts';
import { overflowing } from './signal-store.ts';
import type { StreamAdministration } from './stream-administration.ts';
import type { StreamService } from './stream-service.ts';

export const RETAINED_SECONDS = 7 * DAY_SECONDS;

interface Offer {
  readonly queue: SignalQueue;
  readonly signalTokens: SignalTokens;
}

export const signalsModule = defineModule<Offer>('shared signals', (core, use) => {
  const { jwts, applicationKeys } = use(signingKeysModule);
  const { clients } = use(clientsModule);
  const events = new SecurityEvents(jwts, use(idTokensModule).subjects);
  const signalTokens = new SignalTokens(jwts, core.clock);
  // Loaded with the first event.
  const loadPush = lazy(async () => {
    const { SignalPush } = await import('./signal-push.ts');
    return new SignalPush(core, clients, events);
  });
  const queue = new SignalQueue(core, async (job) => (await loadPush()).push(job));
  const waiters = new PollWaiters(core);
  return {
    offer: { queue, signalTokens },
    sweeps: [
      expiring('signal_deliveries', 'created_at', RETAINED_SECONDS),
      overflowing(MOST_WAITING),
    ],
    routes(router) {
      const receivers = new SignalReceivers(clients, signalTokens, use(accessTokensModule).dpop);
      const loadStreams = lazy(async () => {
        const { StreamService } = await import('./stream-service.ts');
        return new StreamService(core, applicationKeys);
      });
      const loadAdministration = lazy(async () => {
        const { StreamAdministration } = await import('./stream-administration.ts');
        return new StreamAdministration(core.gate);
      });
      bindTransmitterRoutes(router, core.baseUrl);
      bindStreamRoutes(router, receivers, loadStreams);
      const polling = new SignalPolling(core.gate, events, waiters);
      bindControlRoutes(router, receivers, loadStreams, polling);
      bindClientStreamRoutes(router, loadAdministration);
    },
    start: () => queue.start(),
    drain: () => Promise.resolve(waiters.end()),
    stop: () => queue.stop(),
  };
});

type ReceiverRequest = Parameters<SignalReceivers['requireReader']>[0];

/** Loads a service that is not needed at startup. */
type Load<Service> = () => Promise<Service>;

/** Serves the metadata of a tenant as a transmitter (Shared Signals Framework §7.1). */
function bindTransmitterRoutes(router: Router, baseUrl: () => string): void {
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
function bindStreamRoutes(
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
function bindControlRoutes(
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
function bindClientStreamRoutes(router: Router, load: Load<StreamAdministration>): void {
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

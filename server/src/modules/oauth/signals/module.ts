import { lazy } from '../../../platform/lazy.ts';
import { defineModule } from '../../../tenancy/module.ts';
import { DAY_SECONDS, expiring } from '../../../tenancy/sweep-store.ts';
import { accessTokensModule } from '../../tokens/access-tokens/module.ts';
import { signingKeysModule } from '../../tokens/signing-keys/module.ts';
import { clientsModule } from '../clients/module.ts';
import { idTokensModule } from '../id-tokens/module.ts';
import {
  bindClientStreamRoutes,
  bindControlRoutes,
  bindStreamRoutes,
  bindTransmitterRoutes,
} from './routes.ts';
import { SecurityEvents } from './security-event.ts';
import { PollWaiters, SignalPolling } from './signal-polling.ts';
import { createSignalQueue, MOST_WAITING, type SignalQueue } from './signal-queue.ts';
import { SignalReceivers, SignalTokens } from './signal-receivers.ts';
import { overflowing } from './signal-store.ts';

const RETAINED_SECONDS = 7 * DAY_SECONDS;

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
  const queue = createSignalQueue(core, async (job) => (await loadPush()).push(job));
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

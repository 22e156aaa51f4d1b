import { defineModule } from '../../../tenancy/module.ts';
import { DAY_SECONDS, expiring } from '../../../tenancy/sweep-store.ts';
import { lazy } from '../../../platform/lazy.ts';
import { accessTokensModule } from '../../tokens/access-tokens/module.ts';
import { signingKeysModule } from '../../tokens/signing-keys/module.ts';
import { idTokensModule } from '../id-tokens/module.ts';
import { clientsModule } from '../clients/module.ts';
import { SignalTokens, createRequireReceiver } from './signal-receivers.ts';
import { createPoll, createWaiting } from './signal-polling.ts';
import { createSignalQueue, type SignalQueue, MOST_WAITING } from './signal-queue.ts';
import { bindClientStreamRoutes, bindSignalRoutes } from './routes.ts';
import { createSecurityEvent } from './security-event.ts';
import { overflowing, createFindStreams } from './signal-store.ts';

const KEPT_SECONDS = 7 * DAY_SECONDS;

interface Signals {
  readonly queue: SignalQueue;
  readonly signalTokens: SignalTokens;
}

export const signalsModule = defineModule<Signals>('shared signals', (core, use) => {
  const { jwts, applicationKeys } = use(signingKeysModule);
  const { clients } = use(clientsModule);
  const securityEvent = createSecurityEvent({ jwts, ...use(idTokensModule) });
  const findStream = createFindStreams(core.gate);
  // What pushes is loaded with the first event.
  const push = lazy(async () => {
    const { createPush } = await import('./signal-push.ts');
    return createPush({ ...core, clients, securityEvent, findStream });
  });
  const queue = createSignalQueue(core, async (job) => (await push())(job));
  const waiting = createWaiting(core);
  const signalTokens = new SignalTokens(jwts, core.clock);
  return {
    offer: { queue, signalTokens },
    sweeps: [expiring('signal_deliveries', 'created_at', KEPT_SECONDS), overflowing(MOST_WAITING)],
    routes(router) {
      const { dpop } = use(accessTokensModule);
      const requireReceiver = createRequireReceiver({ clients, signalTokens, dpop });
      const poll = createPoll({ ...core, securityEvent, waiting });
      bindClientStreamRoutes(router, core.gate);
      bindSignalRoutes(router, { ...core, applicationKeys, requireReceiver, poll });
    },
    start: () => queue.start(),
    drain: () => Promise.resolve(waiting.end()),
    stop: () => queue.stop(),
  };
});

import type { OkOf } from '@keywright/contract/route';
import { health, live } from '@keywright/contract/routes/service';
import { isDevelopment } from '../../../platform/development.ts';
import { OtherStatus } from '../../../platform/http/replies.ts';
import type { Core } from '../../../tenancy/module.ts';
import type { Problem } from '../../../tenancy/readiness.ts';
import type { Router } from '../../../tenancy/router.ts';

const RETRY_AFTER_SECONDS = 1;

/** Public, so it omits the address of the proxy, which is in the log. */
const UNTRUSTED_PROXY: Problem = {
  code: 'untrusted_proxy',
  detail:
    'Requests come through an internal proxy that is not trusted, so all its clients share one address and its limits. ' +
    'Add the address of the proxy, which the log names, to KEYWRIGHT_TRUSTED_PROXIES.',
};

const CLOCK: Problem = {
  code: 'clock',
  detail:
    'The clocks of this machine and the database differ by more than a minute. Synchronize both by NTP.',
};

export function bindHealthRoutes(router: Router, core: Core): void {
  const { changes, config, readiness, isDraining, isBehindUntrustedProxy, clock, clockGuard } =
    core;
  // In development, a proxy has only one client.
  const isProduction = !isDevelopment(config);
  router.add(health, async () => {
    const { isUsable, problem } = await readiness.check();
    const isExposed = isProduction && isBehindUntrustedProxy();
    const isOnTime = clockGuard.isRight();
    const problems = [
      ...(problem ? [problem] : []),
      ...(isOnTime ? [] : [CLOCK]),
      ...(isExposed ? [UNTRUSTED_PROXY] : []),
    ];
    const body: OkOf<typeof health> = {
      status: isDraining() ? 'draining' : problems.length === 0 ? 'ok' : 'degraded',
      database: isUsable ? 'ok' : 'unavailable',
      cache: changes.areAnnounced() ? 'ok' : 'degraded',
      timestamp: clock.now().toISOString(),
      ...(problems.length > 0 && { problems }),
    };
    // At 503, load balancers stop sending requests. The other problems affect every node, so they do not cause a 503.
    return isUsable && isOnTime && !isDraining()
      ? body
      : new OtherStatus(503, body, RETRY_AFTER_SECONDS);
  });

  router.add(live, () => ({ status: 'ok' as const }));
}

import type { OkOf } from '@keywright/contract/route';
import { health, live } from '@keywright/contract/routes/service';
import { isDevelopment } from '../../../platform/development.ts';
import { OtherStatus } from '../../../platform/http/replies.ts';
import type { Core } from '../../../tenancy/module.ts';
import type { Router } from '../../../tenancy/router.ts';

const RETRY_AFTER_SECONDS = 1;

type Problem = NonNullable<OkOf<typeof health>['problems']>[number];

/** Without the address of the proxy: anyone may read this. The log has it. */
const UNTRUSTED_PROXY: Problem = {
  code: 'untrusted_proxy',
  detail:
    'Requests come through an internal proxy that is not trusted, so all its clients share one address and its limits. ' +
    'Add the address of the proxy, which the log names, to KEYWRIGHT_TRUSTED_PROXIES.',
};

type Dependencies = Pick<
  Core,
  'changes' | 'config' | 'databaseAnswers' | 'isDraining' | 'isBehindUntrustedProxy' | 'clock'
>;

export function bindServiceStateRoutes(router: Router, dependencies: Dependencies): void {
  const { changes, config, databaseAnswers, isDraining, isBehindUntrustedProxy, clock } =
    dependencies;
  // A proxy of a developer has one client.
  const isProduction = !isDevelopment(config);
  router.add(health, async () => {
    const isThere = await databaseAnswers();
    const problems = isProduction && isBehindUntrustedProxy() ? [UNTRUSTED_PROXY] : [];
    const isWell = isThere && problems.length === 0;
    const body: OkOf<typeof health> = {
      status: isDraining() ? 'draining' : isWell ? 'ok' : 'degraded',
      database: isThere ? 'ok' : 'unavailable',
      cache: changes.areAnnounced() ? 'ok' : 'degraded',
      timestamp: clock.now().toISOString(),
      ...(problems.length > 0 && { problems }),
    };
    // Load balancers stop sending requests at 503. A problem of the settings is no reason: every node has it.
    return isThere && !isDraining() ? body : new OtherStatus(503, body, RETRY_AFTER_SECONDS);
  });

  router.add(live, () => ({ status: 'ok' as const }));
}

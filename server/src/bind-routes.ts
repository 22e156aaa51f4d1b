import { setImmediate as immediate } from 'node:timers/promises';
import { fail } from '@keywright/contract/errors';
import type { FastifyInstance } from 'fastify';
import { serveConsole } from './platform/http/console-files.ts';
import { serveDocs } from './platform/http/docs-files.ts';
import { serveReference } from './platform/http/reference-files.ts';
import type { Core } from './tenancy/module.ts';
import { countRequests } from './tenancy/activity.ts';
import { Router } from './tenancy/router.ts';
import { bearerModule } from './modules/authentication/bearer/module.ts';
import { accessTokensModule } from './modules/tokens/access-tokens/module.ts';
import { journalModule } from './modules/events/journal/module.ts';
import type { Assembly } from './assemble.ts';

/**
 * Binds the routes of all modules, yielding to other work of the process in between, and prepares the server to
 * listen.
 */
export async function bindRoutes(
  server: FastifyInstance,
  core: Core,
  { use, instances }: Assembly,
): Promise<void> {
  countRequests(server, core.activity);
  const { bearer } = use(bearerModule);
  const router = new Router({
    server,
    directory: core.directory,
    system: core.system,
    baseUrl: core.baseUrl,
    authenticate: (tenant, credential, from) => bearer.authenticate(tenant, credential, from),
    nextNonce: (tenant) => use(accessTokensModule).dpop.nextNonce(tenant),
    authenticateBrowser:
      instances.findLast((instance) => instance.authenticateBrowser)?.authenticateBrowser ??
      NO_SESSIONS,
    authenticateInside:
      instances.findLast((instance) => instance.authenticateInside)?.authenticateInside ??
      NO_SESSIONS,
    dataKeys: core.dataKeys,
    onDenial: use(journalModule).onDenial,
    now: () => core.clock.now(),
  });
  for (const instance of instances) {
    instance.routes?.(router);
    // Lets pending database work continue.
    await immediate();
  }
  serveConsole(server);
  serveDocs(server);
  serveReference(server);
  await server.ready();
}

/** Used by a service without a module that opens browser sessions. */
const NO_SESSIONS = () => fail('BROWSER_SESSION_REQUIRED');

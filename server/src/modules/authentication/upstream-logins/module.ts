import { defineModule } from '../../../tenancy/module.ts';
import { expiring } from '../../../tenancy/sweep-store.ts';
import { journalModule } from '../../events/journal/module.ts';
import { messagesModule } from '../../events/messages/module.ts';
import { statusListsModule } from '../../tokens/status-lists/module.ts';
import { createIssuerKeys } from '../../tokens/proofs/index.ts';
import { flowsModule } from '../flows/module.ts';
import { createFindMetadata } from '../identity-providers/index.ts';
import { type BeginOnPage, createBeginOnPage } from './begin-on-page.ts';
import { bindUpstreamRoutes } from './routes.ts';

const CALL_TIMEOUT_MS = 10_000;

interface Offer {
  readonly beginOnPage: BeginOnPage;
}

export const upstreamLoginsModule = defineModule<Offer>('upstream-logins', (core, use) => {
  const { egress, clock } = core;
  const findMetadata = createFindMetadata(egress, clock);
  const issuerKeys = createIssuerKeys(egress, clock, CALL_TIMEOUT_MS);
  const dependencies = { ...core, ...use(flowsModule), findMetadata };
  return {
    offer: { beginOnPage: createBeginOnPage(dependencies) },
    routes: (router) =>
      bindUpstreamRoutes(router, {
        ...dependencies,
        ...use(journalModule),
        ...use(messagesModule),
        ...use(statusListsModule),
        issuerKeys,
      }),
    sweeps: [expiring('upstream_logins', 'expires_at')],
  };
});

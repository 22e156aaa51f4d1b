import { defineModule } from '../../../tenancy/module.ts';
import { brandingChanged } from '../../../tenancy/branding-changed.ts';
import { createFindDraftLook } from './draft-look.ts';
import { createFindLook } from './look.ts';
import { createLogos } from './logos.ts';
import { bindLogoRoutes } from './routes.ts';
import { createFindServed } from './served.ts';

export const brandModule = defineModule('brand', (core) => {
  const { gate, changes, afterCommit, log } = core;
  const logos = createLogos(core);
  const underway = new Set<Promise<void>>();
  afterCommit.subscribe(brandingChanged, (tenantId) => {
    const work = logos
      .fetchPending(tenantId)
      .catch((error: unknown) => log.warn({ err: error, tenantId }, 'logos were not fetched'))
      .finally(() => underway.delete(work));
    underway.add(work);
  });
  return {
    offer: { findLook: createFindLook(gate, changes), findDraftLook: createFindDraftLook(gate) },
    routes: (router) => bindLogoRoutes(router, gate, logos, createFindServed(gate, changes)),
    resume: () => logos.resume(),
    stop: async () => void (await Promise.all(underway)),
  };
});

import { FONT_ROUTES, STYLESHEET_ROUTES } from '@keywright/contract/routes/assets';
import * as logoRoutes from '@keywright/contract/routes/logos';
import * as textRoutes from '@keywright/contract/routes/texts';
import { listedWhole } from '../../../platform/db/page.ts';
import { STYLESHEETS } from '../../../platform/http/pages/account-look.ts';
import { readFont } from '../../../platform/http/pages/fonts.ts';
import { LOOK_FILE } from '../../../platform/http/pages/look.ts';
import { RequestedAsset } from '../../../platform/http/replies.ts';
import { lazy } from '../../../platform/lazy.ts';
import { brandingChanged } from '../../../tenancy/after-commit.ts';
import { defineModule } from '../../../tenancy/module.ts';
import type { Router } from '../../../tenancy/router.ts';
import { LogoService } from './logo-service.ts';
import { LookService } from './look-service.ts';
import type { TextService } from './text-service.ts';

export const brandModule = defineModule('brand', (core) => {
  const { gate, changes, afterCommit, log } = core;
  const looks = new LookService(gate, changes);
  const logos = new LogoService(core);
  // The code that parses texts is loaded with the first request: startup does not need it.
  const loadTexts = lazy(async () => {
    const service = await import('./text-service.ts');
    return new service.TextService(gate);
  });
  const inFlight = new Set<Promise<void>>();
  afterCommit.subscribe(brandingChanged, (tenantId) => {
    const work = logos
      .fetchPending(tenantId)
      .catch((error: unknown) => log.warn({ err: error, tenantId }, 'logos were not fetched'))
      .finally(() => inFlight.delete(work));
    inFlight.add(work);
  });
  return {
    offer: { looks },
    routes(router) {
      bindLogos(router, logos);
      bindTexts(router, loadTexts);
    },
    resume: () => logos.resume(),
    stop: async () => void (await Promise.all(inFlight)),
  };
});

function bindLogos(router: Router, logos: LogoService): void {
  router.add(logoRoutes.listLogos, async ({ tenant, query }, fail) =>
    listedWhole(query, await logos.list(tenant.id), fail),
  );
  router.add(logoRoutes.fetchLogos, async ({ tenant }) => ({
    logos: await logos.fetchAll(tenant.id),
  }));
  router.add(logoRoutes.putLogo, ({ tenant, caller, params: { kind }, body: { image } }, fail) =>
    logos.upload(tenant.id, caller, { kind, image }, fail),
  );
  router.add(logoRoutes.deleteLogo, ({ tenant, caller, params }, fail) =>
    logos.delete(tenant.id, caller, params.kind, fail),
  );
  router.addAll(STYLESHEET_ROUTES, async ({ query: { v: digest } }) => {
    const file = STYLESHEETS.find((candidate) => candidate.digest === digest) ?? LOOK_FILE;
    return new RequestedAsset(file, digest);
  });
  router.addAll(
    FONT_ROUTES,
    async ({ params }, fail) => (await readFont(params.file)) ?? fail('NOT_FOUND'),
  );
  router.addAll(
    [logoRoutes.getLogo, logoRoutes.getIssuerLogo],
    async ({ tenant, params }, fail) =>
      (await logos.findImage(tenant.id, params.digest)) ?? fail('NOT_FOUND'),
  );
}

function bindTexts(router: Router, load: () => Promise<TextService>): void {
  router.add(textRoutes.listTexts, async ({ tenant, params }, fail) =>
    (await load()).list(tenant.id, params.locale, fail),
  );
  router.add(textRoutes.getText, async ({ tenant, params }, fail) =>
    (await load()).get(tenant.id, params, fail),
  );
  router.add(textRoutes.putText, async ({ tenant, caller, params, body }, fail) =>
    (await load()).put(tenant, caller, params, body.text, fail),
  );
  router.add(textRoutes.deleteText, async ({ tenant, caller, params }, fail) =>
    (await load()).delete(tenant.id, caller, params, fail),
  );
}

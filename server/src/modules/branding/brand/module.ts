import { ASSET_ROUTES } from '@keywright/contract/routes/assets';
import {
  deleteLogo,
  fetchLogos,
  getIssuerLogo,
  getLogo,
  listLogos,
  putLogo,
} from '@keywright/contract/routes/logos';
import { deleteText, getText, listTexts, putText } from '@keywright/contract/routes/texts';
import { listedWhole } from '../../../platform/db/page.ts';
import { LOOK_FILE } from '../../../platform/http/pages/look.ts';
import { AskedAsset } from '../../../platform/http/replies.ts';
import { lazy } from '../../../platform/lazy.ts';
import { brandingChanged } from '../../../tenancy/branding-changed.ts';
import type { Gate } from '../../../tenancy/gate.ts';
import { defineModule } from '../../../tenancy/module.ts';
import type { Router } from '../../../tenancy/router.ts';
import { findLogos } from './brand-store.ts';
import {
  createLogos,
  createFindServed,
  type Logos,
  presentLogo,
  type FindServed,
  removeLogo,
  uploadLogo,
} from './logo-service.ts';
import { createFindDraftLook, createFindLook } from './look-service.ts';

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
    routes(router) {
      bindLogoRoutes(router, gate, logos, createFindServed(gate, changes));
      bindTextRoutes(router, gate);
    },
    resume: () => logos.resume(),
    stop: async () => void (await Promise.all(underway)),
  };
});

function bindLogoRoutes(router: Router, gate: Gate, logos: Logos, findServed: FindServed): void {
  router.add(listLogos, async ({ tenant, query }, fail) => {
    const rows = await gate.into(tenant.id).transaction(findLogos);
    return listedWhole(query, rows.map(presentLogo), fail);
  });
  router.add(fetchLogos, async ({ tenant }) => {
    const rows = await logos.fetchAll(tenant.id);
    return { logos: rows.map(presentLogo) };
  });
  router.add(putLogo, async ({ tenant, caller, params: { kind }, body: { image } }, fail) =>
    presentLogo(await uploadLogo(gate.into(tenant.id), caller, { kind, image }, fail)),
  );
  router.add(deleteLogo, async ({ tenant, caller, params }, fail) => ({
    kind: await removeLogo(gate.into(tenant.id), caller, params.kind, fail),
    deleted: true as const,
  }));
  router.addAll(ASSET_ROUTES, async ({ query }) => new AskedAsset(LOOK_FILE, query.v));
  router.addAll(
    [getLogo, getIssuerLogo],
    async ({ tenant, params }, fail) =>
      (await findServed(tenant.id, params.digest)) ?? fail('NOT_FOUND'),
  );
}

/** With what reads texts, which startup does not need. */
const loadService = lazy(() => import('./text-service.ts'));

function bindTextRoutes(router: Router, gate: Gate): void {
  router.add(listTexts, async ({ tenant, params }, fail) => {
    const { findTextsOf } = await loadService();
    return findTextsOf(gate.into(tenant.id), params.locale, fail);
  });
  router.add(getText, async ({ tenant, params }, fail) => {
    const { getTextOf } = await loadService();
    return getTextOf(gate.into(tenant.id), params, fail);
  });
  router.add(putText, async ({ tenant, caller, params, body }, fail) => {
    const { writeText } = await loadService();
    const data = gate.into(tenant.id);
    return data.transaction((tx) => writeText(tx, { tenant, caller }, params, body.text, fail));
  });
  router.add(deleteText, async ({ tenant, caller, params }, fail) => {
    const { removeText } = await loadService();
    return gate.into(tenant.id).transaction((tx) => removeText(tx, caller, params, fail));
  });
}

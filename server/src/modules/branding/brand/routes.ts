import { ASSET_ROUTES } from '@keywright/contract/routes/assets';
import {
  deleteLogo,
  fetchLogos,
  getIssuerLogo,
  getLogo,
  listLogos,
  putLogo,
} from '@keywright/contract/routes/logos';
import { listedWhole } from '../../../platform/db/page.ts';
import { LOOK_FILE } from '../../../platform/http/pages/look.ts';
import { AskedAsset } from '../../../platform/http/replies.ts';
import type { Gate } from '../../../tenancy/gate.ts';
import type { Router } from '../../../tenancy/router.ts';
import type { Logos } from './logos.ts';
import { presentLogo } from './present.ts';
import type { FindServed } from './served.ts';
import { findLogos } from './store.ts';
import { removeLogo, uploadLogo } from './upload.ts';

export function bindLogoRoutes(
  router: Router,
  gate: Gate,
  logos: Logos,
  findServed: FindServed,
): void {
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

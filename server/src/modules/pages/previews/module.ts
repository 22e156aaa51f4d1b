import { createPreview, showPreview } from '@keywright/contract/routes/previews';
import { isDevelopment } from '../../../platform/development.ts';
import { lazy } from '../../../platform/lazy.ts';
import { defineModule } from '../../../tenancy/module.ts';
import type { Router } from '../../../tenancy/router.ts';
import { brandModule } from '../../branding/brand/module.ts';
import { codesModule } from '../../oauth/codes/module.ts';
import { bindParts } from './parts-page.ts';
import type { PreviewDependencies } from './preview-service.ts';

export const previewsModule = defineModule('previews', ({ config, gate, clock }, use) => ({
  routes(router) {
    const { seals } = use(codesModule);
    const { findDraftLook } = use(brandModule);
    bindPreviewRoutes(router, { gate, clock, seals, findDraftLook });
    // For those who change how pages look.
    if (isDevelopment(config)) bindParts(router);
  },
}));

/** Administrators look at previews; nobody else waits for them. */
const loadService = lazy(() => import('./preview-service.ts'));

function bindPreviewRoutes(router: Router, dependencies: PreviewDependencies): void {
  router.add(createPreview, async ({ tenant, body }, fail) => {
    const { sealPreview } = await loadService();
    return sealPreview(dependencies, tenant, body, fail);
  });
  router.add(showPreview, async ({ tenant, query }, fail) => {
    const { openPreview } = await loadService();
    return openPreview(dependencies, tenant, query.of, fail);
  });
}

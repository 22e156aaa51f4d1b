import { createPreview, showPreview } from '@keywright/contract/routes/previews';
import { lazy } from '../../../platform/lazy.ts';
import type { Router } from '../../../tenancy/router.ts';
import type { PreviewDependencies } from './service.ts';

/** Administrators look at previews; nobody else waits for them. */
const loadService = lazy(() => import('./service.ts'));

export function bindPreviewRoutes(router: Router, dependencies: PreviewDependencies): void {
  router.add(createPreview, async ({ tenant, body }, fail) => {
    const { sealPreview } = await loadService();
    return sealPreview(dependencies, tenant, body, fail);
  });
  router.add(showPreview, async ({ tenant, query }, fail) => {
    const { openPreview } = await loadService();
    return openPreview(dependencies, tenant, query.of, fail);
  });
}

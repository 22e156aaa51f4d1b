import { previewTokens } from '@keywright/contract/routes/token-previews';
import { defineModule } from '../../../tenancy/module.ts';
import type { Router } from '../../../tenancy/router.ts';
import { clientsModule } from '../clients/module.ts';
import { createPreviewTokens, type PreviewDependencies } from './token-preview-service.ts';

export const tokenPreviewsModule = defineModule('token-previews', (core, use) => ({
  routes: (router) => bindTokenPreviews(router, { ...core, ...use(clientsModule) }),
}));

function bindTokenPreviews(router: Router, dependencies: PreviewDependencies): void {
  const preview = createPreviewTokens(dependencies);
  router.add(previewTokens, ({ tenant, caller, body }, fail) =>
    preview(tenant, caller, body, fail),
  );
}

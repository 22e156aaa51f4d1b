import { createPreview, showPreview } from '@keywright/contract/routes/previews';
import { isDevelopment } from '../../../platform/development.ts';
import { lazy } from '../../../platform/lazy.ts';
import { defineModule } from '../../../tenancy/module.ts';
import { brandModule } from '../../branding/brand/module.ts';
import { messagesModule } from '../../events/messages/module.ts';
import { grantsModule } from '../../oauth/grants/module.ts';
import { bindParts } from './parts-page.ts';

export const previewsModule = defineModule('previews', ({ config, clock }, use) => {
  // Only administrators open previews, so the code is loaded on first use.
  const loadService = lazy(async () => {
    const { PreviewService } = await import('./preview-service.ts');
    const { seals } = use(grantsModule);
    return new PreviewService(clock, seals, use(brandModule).looks, use(messagesModule).templates);
  });
  return {
    routes(router) {
      router.add(createPreview, async ({ tenant, body }, fail) =>
        (await loadService()).create(tenant, body, fail),
      );
      router.add(showPreview, async ({ tenant, query }, fail) =>
        (await loadService()).open(tenant, query.of, fail),
      );
      // For engineers who change the appearance of pages.
      if (isDevelopment(config)) bindParts(router);
    },
  };
});

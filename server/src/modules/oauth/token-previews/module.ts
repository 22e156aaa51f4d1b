import { previewTokens } from '@keywright/contract/routes/token-previews';
import { defineModule } from '../../../tenancy/module.ts';
import { clientsModule } from '../clients/module.ts';
import { TokenPreviewService } from './token-preview-service.ts';

export const tokenPreviewsModule = defineModule('token-previews', ({ gate, clock }, use) => ({
  routes(router) {
    const service = new TokenPreviewService(gate, clock, use(clientsModule).clients);
    router.add(previewTokens, ({ tenant, caller, body }, fail) =>
      service.preview(tenant, caller, body, fail),
    );
  },
}));

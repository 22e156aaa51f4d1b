import { defineModule } from '../../../tenancy/module.ts';
import { createSeals } from '../../oauth/codes/index.ts';
import { signingKeysModule } from '../../tokens/signing-keys/module.ts';
import { brandModule } from '../../branding/brand/module.ts';
import { bindPreviewRoutes } from './routes.ts';

export const previewsModule = defineModule('previews', ({ gate, clock }, use) => ({
  routes(router) {
    const seals = createSeals(use(signingKeysModule).keys.auditKeys);
    const { findDraftLook } = use(brandModule);
    bindPreviewRoutes(router, { gate, clock, seals, findDraftLook });
  },
}));

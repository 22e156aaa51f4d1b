import { defineModule } from '../../../tenancy/module.ts';
import { brandModule } from '../../branding/brand/module.ts';
import { FirstLoginLink } from './link.ts';
import { bindFirstLogin } from './routes.ts';

export const firstLoginModule = defineModule('first login', ({ clock }, use) => {
  const link = new FirstLoginLink(clock);
  return {
    offer: { link },
    routes(router) {
      const { findLook } = use(brandModule);
      bindFirstLogin(router, { link, findLook });
    },
  };
});

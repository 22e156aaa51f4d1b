import { defineModule } from '../../../tenancy/module.ts';
import { authorizeModule } from '../../oauth/authorize/module.ts';
import { sessionsModule } from '../../tokens/sessions/module.ts';
import { brandModule } from '../../branding/brand/module.ts';
import { bindAccountRoutes } from './routes.ts';

export const accountModule = defineModule('account', (core, use) => ({
  routes(router) {
    const { browserLogins } = use(sessionsModule);
    const { performAs } = router;
    const given = { ...core, ...use(authorizeModule), ...use(brandModule) };
    bindAccountRoutes(router, { ...given, browserLogins, performAs });
  },
}));

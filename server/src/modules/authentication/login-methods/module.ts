import { getLoginMethods } from '@keywright/contract/routes/login-methods';
import { defineModule } from '../../../tenancy/module.ts';
import { createPresentLoginMethods } from './login-methods.ts';

export const loginMethodsModule = defineModule('login-methods', () => ({
  routes(router) {
    const present = createPresentLoginMethods();
    router.add(getLoginMethods, ({ tenant }) => present(tenant));
  },
}));

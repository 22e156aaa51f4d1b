import { getLoginMethods } from '@keywright/contract/routes/login-methods';
import { defineModule } from '../../../tenancy/module.ts';
import { LoginMethodsPresenter } from './login-methods.ts';

export const loginMethodsModule = defineModule('login-methods', () => {
  const presenter = new LoginMethodsPresenter();
  return {
    routes: (router) => {
      router.addStored(
        [getLoginMethods],
        ({ tenant }) => presenter.present(tenant),
        (tenant) => presenter.cached(tenant),
      );
    },
  };
});

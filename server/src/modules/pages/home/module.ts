import { showAccount } from '@keywright/contract/routes/account';
import { reference, root } from '@keywright/contract/routes/service';
import { Page } from '../../../platform/http/replies.ts';
import { defineModule } from '../../../tenancy/module.ts';
import { pathAtIssuer } from '../../oauth/authorize/index.ts';
import { brandModule } from '../../branding/brand/module.ts';
import { homeView } from '../../branding/views/index.ts';

/** The page at `/`. Its links lead to the issuer's host, because cookies of logins are valid only there. */
export const homeModule = defineModule('home', (_core, use) => ({
  routes(router) {
    const { findLook } = use(brandModule);
    router.add(root, async ({ tenant, wishes }) => {
      const look = await findLook(tenant, wishes, { action: root.path, fields: {} });
      const at = (path: string) => new URL(path, tenant.issuer).href;
      const links = {
        console: at('/console'),
        account: at(pathAtIssuer(tenant, showAccount.path)),
        reference: at(reference.path),
      };
      return new Page(homeView({ look, links }));
    });
  },
}));

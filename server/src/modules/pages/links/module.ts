import { defineModule } from '../../../tenancy/module.ts';
import { flowsModule } from '../../authentication/flows/module.ts';
import { brandModule } from '../../branding/brand/module.ts';
import { identifiersModule } from '../../identity/identifiers/module.ts';
import { authorizeModule } from '../../oauth/authorize/module.ts';
import {
  FirstLoginLink,
  bindFirstLogin,
  bindInvitationPages,
  bindUndoPages,
} from './link-pages.ts';

/** The pages that links in messages open, and the link that a first start prints. */
export const linksModule = defineModule('links', (core, use) => {
  const firstLogin = new FirstLoginLink(core.clock);
  return {
    offer: { firstLogin },
    routes(router) {
      const { looks } = use(brandModule);
      const { pageLogins } = use(authorizeModule);
      const { flowInvitations: invitations } = use(flowsModule);
      bindFirstLogin(router, firstLogin, looks);
      bindInvitationPages(router, invitations, pageLogins, looks);
      bindUndoPages(router, use(identifiersModule).undos, looks);
    },
  };
});

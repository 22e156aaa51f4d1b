import { defineModule } from '../../../tenancy/module.ts';
import { createReadInvitation } from '../../authentication/flows/index.ts';
import { authorizeModule } from '../../oauth/authorize/module.ts';
import { brandModule } from '../../branding/brand/module.ts';
import { bindInvitationPages } from './routes.ts';

export const invitationPagesModule = defineModule('invitation pages', (core, use) => ({
  routes(router) {
    const readInvitation = createReadInvitation(core);
    const { perform } = router;
    const given = { ...use(authorizeModule), ...use(brandModule), readInvitation, perform };
    bindInvitationPages(router, given);
  },
}));

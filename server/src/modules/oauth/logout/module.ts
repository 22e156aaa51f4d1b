import { defineModule } from '../../../tenancy/module.ts';
import { brandModule } from '../../branding/brand/module.ts';
import { signingKeysModule } from '../../tokens/signing-keys/module.ts';
import { sessionsModule } from '../../tokens/sessions/module.ts';
import { clientsModule } from '../clients/module.ts';
import { createSubjectFor } from '../claims/index.ts';
import { createSeals } from '../codes/index.ts';
import { bindLogoutRoutes } from './routes.ts';
import { createSealedLogouts } from './sealed.ts';

export const logoutModule = defineModule('logout', (core, use) => ({
  routes(router) {
    const { keys, verifyOwnJwt } = use(signingKeysModule);
    const logouts = createSealedLogouts(createSeals(keys.auditKeys));
    const subjectFor = createSubjectFor(keys);
    const { browserLogins } = use(sessionsModule);
    const given = { ...core, ...use(clientsModule), ...use(brandModule), browserLogins };
    bindLogoutRoutes(router, { ...given, logouts, subjectFor, verifyOwnJwt });
  },
}));

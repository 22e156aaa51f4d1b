import { defineModule } from '../../../tenancy/module.ts';
import { bearerModule } from '../../authentication/bearer/module.ts';
import { dpopModule } from '../../tokens/dpop/module.ts';
import { signingKeysModule } from '../../tokens/signing-keys/module.ts';
import { createSubjectFor } from '../claims/index.ts';
import { bindUserinfoRoutes } from './routes.ts';
import { createTell } from './service.ts';
import { createFindTold } from './store.ts';

export const userinfoModule = defineModule('userinfo', ({ gate }, use) => ({
  routes(router) {
    const { keys, signJwt } = use(signingKeysModule);
    const { readClaims, verifyToken } = use(bearerModule);
    const { dpop } = use(dpopModule);
    const subjectFor = createSubjectFor(keys);
    const find = createFindTold(gate);
    const checks = { readClaims, verifyToken, dpop };
    bindUserinfoRoutes(router, createTell({ ...checks, find, signJwt, subjectFor }));
  },
}));

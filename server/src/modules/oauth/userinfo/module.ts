import { defineModule } from '../../../tenancy/module.ts';
import { bearerModule } from '../../authentication/bearer/index.ts';
import { signingKeysModule } from '../../tokens/signing-keys/index.ts';
import { createSubjectFor } from '../claims/index.ts';
import { bindUserinfoRoutes } from './routes.ts';
import { createTell } from './service.ts';
import { createFindTold } from './store.ts';

export const userinfoModule = defineModule('userinfo', ({ gate }, use) => ({
  routes(router) {
    const { keys, signJwt } = use(signingKeysModule);
    const { readClaims, verifyToken } = use(bearerModule);
    const subjectFor = createSubjectFor(keys);
    const find = createFindTold(gate);
    bindUserinfoRoutes(router, createTell({ readClaims, verifyToken, find, signJwt, subjectFor }));
  },
}));

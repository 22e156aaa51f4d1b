import {
  getUserinfo,
  getUserinfoByIssuer,
  postUserinfo,
  postUserinfoByIssuer,
} from '@keywright/contract/routes/userinfo';
import { defineModule } from '../../../tenancy/module.ts';
import { describeMissing } from '../../../tenancy/presented.ts';
import type { Router } from '../../../tenancy/router.ts';
import { bearerModule } from '../../authentication/bearer/module.ts';
import { dpopModule } from '../../tokens/access-tokens/module.ts';
import { signingKeysModule } from '../../tokens/signing-keys/module.ts';
import { createSubjectFor } from '../id-tokens/index.ts';
import { createTell, type Tell } from './userinfo-service.ts';
import { createFindTold } from './userinfo-store.ts';

export const userinfoModule = defineModule('userinfo', ({ gate }, use) => ({
  routes(router) {
    const { keys, signJwt } = use(signingKeysModule);
    const { bearer } = use(bearerModule);
    const { dpop } = use(dpopModule);
    const subjectFor = createSubjectFor(keys);
    const find = createFindTold(gate);
    const checks = { bearer, dpop };
    bindUserinfoRoutes(router, createTell({ ...checks, find, signJwt, subjectFor }));
  },
}));

function bindUserinfoRoutes(router: Router, tell: Tell): void {
  router.addAll([getUserinfo, getUserinfoByIssuer], ({ tenant, headers, credential }, fail) =>
    tell(tenant, credential ?? fail('TOKEN_INVALID', describeMissing(headers)), fail),
  );
  router.addAll(
    [postUserinfo, postUserinfoByIssuer],
    ({ tenant, headers, body, credential }, fail) => {
      const { access_token: token } = body;
      if (token === undefined) {
        return tell(tenant, credential ?? fail('TOKEN_INVALID', describeMissing(headers)), fail);
      }
      // RFC 6750 §2: one way at a time.
      if (headers.authorization !== undefined) {
        const message = 'must not be sent beside the header Authorization';
        fail('VALIDATION_FAILED', { errors: [{ path: '/access_token', message }] });
      }
      return tell(tenant, { token, scheme: 'bearer', proof: undefined }, fail);
    },
  );
}

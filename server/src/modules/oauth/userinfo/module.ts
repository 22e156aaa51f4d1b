import {
  getUserinfo,
  getUserinfoByIssuer,
  postUserinfo,
  postUserinfoByIssuer,
} from '@keywright/contract/routes/userinfo';
import { defineModule } from '../../../tenancy/module.ts';
import { describeMissing } from '../../../tenancy/caller.ts';
import { bearerModule } from '../../authentication/bearer/module.ts';
import { accessTokensModule } from '../../tokens/access-tokens/module.ts';
import { signingKeysModule } from '../../tokens/signing-keys/module.ts';
import { idTokensModule } from '../id-tokens/module.ts';
import { UserinfoService } from './userinfo-service.ts';

export const userinfoModule = defineModule('userinfo', ({ gate }, use) => ({
  routes(router) {
    const { jwts } = use(signingKeysModule);
    const { bearer } = use(bearerModule);
    const { dpop } = use(accessTokensModule);
    const { subjects } = use(idTokensModule);
    const service = new UserinfoService(gate, bearer, dpop, subjects, jwts);
    router.addAll([getUserinfo, getUserinfoByIssuer], ({ tenant, headers, credential }, fail) =>
      service.read(tenant, credential ?? fail('TOKEN_INVALID', describeMissing(headers)), fail),
    );
    router.addAll(
      [postUserinfo, postUserinfoByIssuer],
      ({ tenant, headers, body, credential }, fail) => {
        const { access_token: token } = body;
        if (token === undefined) {
          const presented = credential ?? fail('TOKEN_INVALID', describeMissing(headers));
          return service.read(tenant, presented, fail);
        }
        // RFC 6750 §2: one method at a time.
        if (headers.authorization !== undefined) {
          const message = 'must not be sent beside the header Authorization';
          fail('VALIDATION_FAILED', { errors: [{ path: '/access_token', message }] });
        }
        return service.read(tenant, { token, scheme: 'bearer', proof: undefined }, fail);
      },
    );
  },
}));

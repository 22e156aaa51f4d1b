import {
  getUserinfo,
  getUserinfoByIssuer,
  postUserinfo,
  postUserinfoByIssuer,
} from '@keywright/contract/routes/userinfo';
import { describeMissing } from '../../../tenancy/presented.ts';
import type { Router } from '../../../tenancy/router.ts';
import type { Tell } from './service.ts';

export function bindUserinfoRoutes(router: Router, tell: Tell): void {
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

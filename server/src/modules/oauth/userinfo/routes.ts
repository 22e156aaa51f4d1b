import type { Fail } from '@keywright/contract/errors';
import {
  getUserinfo,
  getUserinfoByIssuer,
  postUserinfo,
  postUserinfoByIssuer,
} from '@keywright/contract/routes/userinfo';
import type { Router } from '../../../tenancy/router.ts';
import type { Tell } from './service.ts';

const BEARER = /^bearer (?<token>[^ ]+)$/i;

export function bindUserinfoRoutes(router: Router, tell: Tell): void {
  router.addAll([getUserinfo, getUserinfoByIssuer], ({ tenant, headers }, fail) =>
    tell(tenant, tokenIn(headers.authorization, fail), fail),
  );
  router.addAll([postUserinfo, postUserinfoByIssuer], ({ tenant, headers, body }, fail) => {
    const { access_token: token } = body;
    if (token === undefined) return tell(tenant, tokenIn(headers.authorization, fail), fail);
    // RFC 6750 §2: one way at a time.
    if (headers.authorization !== undefined) {
      const message = 'must not be sent beside the header Authorization';
      fail('VALIDATION_FAILED', { errors: [{ path: '/access_token', message }] });
    }
    return tell(tenant, token, fail);
  });
}

function tokenIn(authorization: string | undefined, fail: Fail<'TOKEN_INVALID'>): string {
  return BEARER.exec(authorization ?? '')?.groups?.['token'] ?? fail('TOKEN_INVALID');
}

import { AppError, type ErrorCode, fail } from '@keywright/contract/errors';
import { verifyToken } from '@keywright/contract/routes/auth';
import type { Router } from '../../tenancy/router.ts';
import type { VerifyCredential } from './service.ts';

const NOT_ACTIVE: ReadonlySet<ErrorCode> = new Set(['TOKEN_INVALID', 'TENANT_MISMATCH']);

export function bindAuthenticationRoutes(router: Router, verify: VerifyCredential): void {
  router.add(verifyToken, async ({ tenant, body }) => {
    try {
      return { ...(await verify(tenant, body.token, fail)), active: true };
    } catch (error) {
      // RFC 7662 §2.2: nothing is told about why.
      if (error instanceof AppError && NOT_ACTIVE.has(error.code)) return { active: false };
      throw error;
    }
  });
}

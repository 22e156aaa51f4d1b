import type { CredentialClaims } from '@keywright/contract/claims';
import { AppError, type ErrorCode, fail } from '@keywright/contract/errors';
import type { Tenant } from '../../../tenancy/tenant.ts';
import type { VerifyCredential } from './service.ts';

const NOT_ACTIVE: ReadonlySet<ErrorCode> = new Set(['TOKEN_INVALID', 'TENANT_MISMATCH']);

/** The claims of a credential, if it is valid now. The reason is not reported (RFC 7662 §2.2). */
export type FindActive = (
  tenant: Tenant,
  credential: string,
) => Promise<CredentialClaims | undefined>;

export function createFindActive(verify: VerifyCredential): FindActive {
  return (tenant, credential) => ifGood(() => verify(tenant, credential, fail));
}

/** What is verified; undefined when it is rejected. */
export async function ifGood<Claims>(verify: () => Promise<Claims>): Promise<Claims | undefined> {
  try {
    return await verify();
  } catch (error) {
    if (error instanceof AppError && NOT_ACTIVE.has(error.code)) return undefined;
    throw error;
  }
}

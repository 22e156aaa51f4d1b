import type { Fail } from '@keywright/contract/errors';
import type { ProvenKey } from '../../tokens/access-tokens/index.ts';
import type { Resource } from '../resources/index.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import { isFapi2Client } from '../clients/index.ts';
import type { Application } from './application.ts';

const REQUIRED = { detail: 'This token needs a DPoP proof: RFC 9449 §5.', internal: 'no proof' };

/**
 * The key that a token is bound to, whose proof is used up; undefined for a bearer token (RFC 9449 §5).
 * @throws AppError DPOP_INVALID
 */
export async function boundTo(
  key: ProvenKey | undefined,
  isRequired: boolean,
  fail: Fail<'DPOP_INVALID'>,
): Promise<string | undefined> {
  if (!key) return isRequired ? fail('DPOP_INVALID', REQUIRED) : undefined;
  await key.requireUnused(fail);
  return key.jkt;
}

/** Whether this client gets this token only with a proof. */
export function needsKey(
  tenant: Tenant,
  client: Application,
  resource: Resource | undefined,
): boolean {
  const isOfClient = client.dpop_bound_access_tokens || isFapi2Client(tenant, client);
  return isOfClient || resource?.isDpopRequired === true;
}

import { AppError, type ErrorCode, type Fail } from '@keywright/contract/errors';
import type { OAuthClientId } from '@keywright/contract/ids';
import type { TenantTx } from '../../../tenancy/gate.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import type { Actor } from '../../events/journal/index.ts';
import type { Clients } from '../clients/index.ts';

const FULL = 'No further application can be used here: there are as many as there may be.';

const refuseFull: Fail<ErrorCode> = (internal) => {
  throw new AppError('REQUEST_INVALID', { detail: FULL, internal });
};

/** Stores a client in the transaction of its first consent. */
export function keepingClient(
  clients: Clients,
  by: Actor,
  tenant: Tenant,
  id: OAuthClientId,
): (tx: TenantTx) => Promise<void> {
  return (tx) => clients.keep(tx, by, tenant, id, refuseFull);
}

import type { TenantId } from '@keywright/contract/ids';
import { seal } from '../../../platform/crypto/sealed.ts';
import type { DataKeys } from '../../../tenancy/data-keys.ts';
import type { Gate, TenantTx } from '../../../tenancy/gate.ts';
import type { Actor } from '../journal/index.ts';
import { recordSuppression } from './recorded.ts';
import { suppressionId, suppressionPlace } from './suppressed.ts';
import { insertSuppression, type NewSuppression } from './suppressions-store.ts';

type Reason = NewSuppression['reason'];

/** Suppresses an address, as `parseIdentifier` returns it. */
export type Suppress = (tenantId: TenantId, address: string, reason: Reason) => Promise<void>;

export function createSuppress(gate: Gate, dataKeys: DataKeys): Suppress {
  return async (tenantId, address, reason) => {
    const suppression = await dataKeys.use(tenantId, (key) =>
      sealSuppression(key, tenantId, address, reason),
    );
    await gate.into(tenantId).transaction((tx) => suppressWithin(tx, suppression));
  };
}

export function sealSuppression(
  dataKey: Buffer,
  tenantId: TenantId,
  address: string,
  reason: Reason,
): NewSuppression {
  const id = suppressionId(dataKey, address);
  const sealed = seal(dataKey, Buffer.from(address), suppressionPlace(tenantId, id));
  return { id, address, sealed, reason };
}

/** Recorded once, however often it is reported. @returns whether that changed anything */
export async function suppressWithin(
  tx: TenantTx,
  one: NewSuppression,
  by?: Actor,
): Promise<boolean> {
  const isNew = await insertSuppression(tx, one);
  if (isNew) await recordSuppression(tx, one, by);
  return isNew;
}

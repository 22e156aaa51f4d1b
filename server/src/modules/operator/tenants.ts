import { OPERATOR } from '../../platform/crypto/fair-queue.ts';
import { fail } from '@keywright/contract/errors';
import { parseTenantId, type TenantId } from '@keywright/contract/ids';
import type { SigningKeyRecord } from '@keywright/contract/records/signing-key';
import { createDataKeys } from '../../tenancy/data-keys.ts';
import { tenantExists } from '../../tenancy/store.ts';
import { asTenant, type SystemTx } from '../../tenancy/system.ts';
import { drawSecret } from '../first-start/index.ts';
import { ADMIN } from '../roles/index.ts';
import { rotateKey } from '../signing-keys/index.ts';
import { writeTenant } from '../tenants/index.ts';
import { writeUser } from '../users/index.ts';
import { makeInstallation, type NewAdministrator, requireIdentifier } from './administrators.ts';
import { OperatorError } from './failures.ts';
import { ACTOR, type Operator } from './operator.ts';
import { listTenantRows, type TenantSummary } from './store.ts';

interface AskedTenant {
  readonly name: string;
  readonly slug?: string;
  readonly domains?: readonly string[];
  readonly admin_identifier?: string;
}

export interface CreatedTenant extends TenantSummary {
  readonly administrator?: NewAdministrator;
}

/** Creates a tenant, with an administrator of its own if one is asked for: both or neither. */
export async function createTenant(
  operator: Operator,
  { admin_identifier: asked, ...tenant }: AskedTenant,
): Promise<CreatedTenant> {
  const identifier = asked === undefined ? undefined : requireIdentifier(asked);
  await makeInstallation(operator);
  const secret = drawSecret();
  const secretHash = identifier && (await operator.passwords.hash(secret, OPERATOR));
  const now = operator.clock.now();
  return operator.system.run(ACTOR, `create tenant ${tenant.slug ?? tenant.name}`, async (tx) => {
    const { id } = await writeTenant(tx, ACTOR, operator.masterKeys(), tenant, now, fail);
    const summary = await getTenant(tx, id);
    if (!identifier || !secretHash) return summary;
    const userId = await asTenant(tx, id, (own) =>
      writeUser(own, ACTOR, { ...identifier, secretHash, roles: [ADMIN] }),
    );
    if (!userId) throw new Error('A tenant without users has a user.');
    const administrator = { user_id: userId, identifier: identifier.identifier, secret };
    return { ...summary, administrator };
  });
}

async function getTenant(tx: SystemTx, id: TenantId): Promise<TenantSummary> {
  const [tenant] = await listTenantRows(tx, id);
  return tenant ?? refuseUnknown(id);
}

/** Every tenant, those that are being deleted too, the oldest first. */
export async function listTenants({ system }: Operator): Promise<{ tenants: TenantSummary[] }> {
  return { tenants: await system.run(ACTOR, 'list tenants', (tx) => listTenantRows(tx)) };
}

/** Gives a tenant a new signing key. */
export async function rotateTenantKey(
  operator: Operator,
  asked: { readonly tenant: string; readonly immediately?: boolean },
): Promise<SigningKeyRecord> {
  await makeInstallation(operator);
  const id = parseTenantId(asked.tenant) ?? refuseUnknown(asked.tenant);
  const isThere = await operator.system.run(ACTOR, `rotate the signing key of ${id}`, (tx) =>
    tenantExists(tx, id),
  );
  if (!isThere) refuseUnknown(id);
  const dataKeys = createDataKeys(operator.gate, operator.masterKeys());
  const tenant = operator.gate.into(id);
  return rotateKey(
    tenant,
    ACTOR,
    dataKeys,
    asked.immediately ?? false,
    operator.clock.now(),
    refuseRotation,
  );
}

function refuseRotation(): never {
  throw new OperatorError(
    'ROTATION_UNDER_WAY',
    'A new key is published already and signs soon. Use --immediately for another one that signs now.',
  );
}

function refuseUnknown(tenant: string): never {
  throw new OperatorError(
    'NOT_FOUND',
    `There is no tenant ${JSON.stringify(tenant)}. "keywright tenant list" tells which there are.`,
  );
}

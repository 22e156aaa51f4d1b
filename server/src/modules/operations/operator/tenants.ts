import type { SystemWork } from '@keywright/contract/audit';
import { fail } from '@keywright/contract/errors';
import { type Identifier, parseIdentifier } from '@keywright/contract/identifiers';
import { DEFAULT_TENANT, type TenantId, type UserId, parseTenantId } from '@keywright/contract/ids';
import type { SigningKeyRecord } from '@keywright/contract/records/signing-key';
import type { TenantRecord } from '@keywright/contract/records/tenant';
import { OPERATOR } from '../../../platform/crypto/password.ts';
import { mailForAll } from '../../../platform/development.ts';
import { DataKeys } from '../../../tenancy/data-keys.ts';
import { type SystemTx, asTenant } from '../../../tenancy/gate.ts';
import { tenantExists } from '../../../tenancy/store.ts';
import { withDefaults } from '../../../tenancy/directory.ts';
import { passwordFlaw } from '../../authentication/passwords/index.ts';
import { removeAllFactors } from '../../identity/factors/index.ts';
import { ADMIN, SYSTEM_ADMIN } from '../../identity/roles/index.ts';
import { recordUpdate, setSecretHash, setVerified, writeUser } from '../../identity/users/index.ts';
import { endSessionsOf } from '../../tokens/sessions/index.ts';
import { listKeysOf, rotateSigningKey } from '../../tokens/signing-keys/index.ts';
import { drawSecret, FirstStartService } from '../installation/index.ts';
import { TenantDeletion, findTenant, presentTenant, writeTenant } from '../tenants/index.ts';
import {
  type TenantSummary,
  findAdministrator,
  findTenantConfig,
  listTenantRows,
} from './operator-store.ts';
import { ACTOR, type Operator, OperatorError } from './operator.ts';

interface TenantInput {
  readonly name: string;
  readonly slug?: string;
  readonly domains?: readonly string[];
  readonly admin_identifier?: string;
}

interface TenantReference {
  readonly tenant: string;
}

type ShownTenant = TenantSummary | (TenantSummary & TenantRecord);

export interface CreatedTenant extends TenantSummary {
  readonly administrator?: NewAdministrator;
}

/** Creates a tenant and, if requested, its administrator: both or neither. */
export async function createTenant(
  operator: Operator,
  { admin_identifier: adminIdentifier, ...tenant }: TenantInput,
): Promise<CreatedTenant> {
  const identifier = adminIdentifier === undefined ? undefined : requireIdentifier(adminIdentifier);
  await makeInstallation(operator);
  const secret = drawSecret();
  const secretHash = identifier && (await operator.passwords.hash(secret, OPERATOR));
  const now = operator.clock.now();
  return operator.system.run(ACTOR, `create tenant ${tenant.slug ?? tenant.name}`, async (tx) => {
    const { id } = await writeTenant(tx, ACTOR, operator.masterKeys(), tenant, now, fail);
    const summary = await getTenant(tx, id);
    if (!identifier || !secretHash) return summary;
    const userId = await asTenant(tx, id, (tenantTx) =>
      writeUser(tenantTx, ACTOR, { ...identifier, verified: true, secretHash, roles: [ADMIN] }),
    );
    if (!userId) throw new Error('A tenant without users has a user.');
    const administrator = { user_id: userId, identifier: identifier.identifier, secret };
    return { ...summary, administrator };
  });
}

async function getTenant(tx: SystemTx, id: TenantId): Promise<TenantSummary> {
  const [tenant] = await listTenantRows(tx, { id });
  return tenant ?? refuseUnknown(id);
}

interface PageInput {
  readonly search?: string;
  readonly limit?: number;
  readonly after?: string;
}

export interface TenantPage {
  readonly tenants: readonly TenantSummary[];
  /** The value of `after` for the next page; null on the last. */
  readonly next: TenantId | null;
}

/** Returns the matching tenants, including those being deleted, oldest first. */
export async function listTenants(
  { system }: Operator,
  { search, limit, after: cursor }: PageInput,
): Promise<TenantPage> {
  const after = cursor === undefined ? undefined : requireTenantId(cursor);
  return system.run(ACTOR, 'list tenants', async (tx) => {
    // A deleted tenant has no position, so an empty page would look like the last one.
    if (after !== undefined) await getTenant(tx, after);
    const rows = await listTenantRows(tx, {
      ...(search === undefined ? {} : { search }),
      ...(after === undefined ? {} : { after }),
      ...(limit === undefined ? {} : { limit: limit + 1 }),
    });
    const tenants = rows.slice(0, limit);
    return { tenants, next: rows.length > tenants.length ? (tenants.at(-1)?.id ?? null) : null };
  });
}

/** Returns all fields of a tenant; for a tenant being deleted, the fields of the list. */
export function showTenant(
  { system, config }: Operator,
  input: TenantReference,
): Promise<ShownTenant> {
  const id = requireTenantId(input.tenant);
  const baseUrl = config.baseUrl ?? `http://localhost:${config.port}`;
  return system.run(
    ACTOR,
    `read tenant ${id}`,
    async (tx) => {
      const summary = await getTenant(tx, id);
      const row = await findTenant(tx, id);
      return row ? { ...presentTenant(row, baseUrl, mailForAll(config)), ...summary } : summary;
    },
    id,
  );
}

/** Deletes a tenant with its rows, as the API does. */
export async function deleteTenant(
  operator: Operator,
  input: TenantReference,
): Promise<{ readonly id: TenantId; readonly deleted: true }> {
  const tenantId = requireTenantId(input.tenant);
  await makeInstallation(operator);
  const { system, clock, log } = operator;
  const deletion = new TenantDeletion(system, clock, log);
  const id = await deletion.delete(ACTOR, tenantId, (code) =>
    code === 'NOT_FOUND' ? refuseUnknown(tenantId) : fail(code),
  );
  await deletion.settled();
  return { id, deleted: true };
}

/** Returns the signing keys of a tenant, including retired keys. */
export async function listTenantKeys(
  operator: Operator,
  input: TenantReference,
): Promise<{ readonly keys: readonly SigningKeyRecord[] }> {
  const id = requireTenantId(input.tenant);
  await requireTenant(operator, id, `list the signing keys of ${id}`);
  return { keys: await listKeysOf(operator.gate.into(id), operator.clock.now()) };
}

/** Rotates a tenant's signing key. */
export async function rotateTenantKey(
  operator: Operator,
  input: { readonly tenant: string; readonly immediately?: boolean },
): Promise<SigningKeyRecord> {
  await makeInstallation(operator);
  const id = requireTenantId(input.tenant);
  await requireTenant(operator, id, `rotate the signing key of ${id}`);
  const dataKeys = new DataKeys(operator.gate, operator.masterKeys());
  const tenant = operator.gate.into(id);
  return rotateSigningKey(
    tenant,
    ACTOR,
    dataKeys,
    input.immediately ?? false,
    operator.clock.now(),
    refuseRotation,
  );
}

function refuseRotation(): never {
  throw new OperatorError(
    'ROTATION_IN_PROGRESS',
    'A new key is already published and will sign soon. Use --immediately to create another key that signs now.',
  );
}

function requireTenantId(text: string): TenantId {
  return parseTenantId(text) ?? refuseUnknown(text);
}

async function requireTenant(
  { system }: Operator,
  id: TenantId,
  reason: SystemWork,
): Promise<void> {
  const isThere = await system.run(ACTOR, reason, (tx) => tenantExists(tx, id), id);
  if (!isThere) refuseUnknown(id);
}

function refuseUnknown(tenant: string): never {
  throw new OperatorError(
    'NOT_FOUND',
    `There is no tenant ${JSON.stringify(tenant)}. "keywright tenant list" lists all tenants.`,
  );
}

export interface NewAdministrator {
  readonly user_id: UserId;
  readonly identifier: string;
  /** Only if generated; otherwise the operator already knows it. */
  readonly secret?: string;
}

/** Adds a system administrator, and creates the installation if no service has started on the database. */
export async function createAdministrator(
  operator: Operator,
  input: { readonly identifier: string; readonly secret?: string },
): Promise<NewAdministrator> {
  const identifier = requireIdentifier(input.identifier);
  await makeInstallation(operator);
  if (input.secret !== undefined) await requireGoodSecret(operator, input.secret);
  const secret = input.secret ?? drawSecret();
  const secretHash = await operator.passwords.hash(secret, OPERATOR);
  const userId = await operator.system.run(ACTOR, 'create a system administrator', (tx) =>
    asTenant(tx, DEFAULT_TENANT, async (homeTx) => {
      // If the identifier were unverified, the owner of its address could take over the account.
      const user = { ...identifier, verified: true, secretHash, roles: [SYSTEM_ADMIN] };
      return (await writeUser(homeTx, ACTOR, user)) ?? refuseTaken(identifier);
    }),
  );
  return {
    user_id: userId,
    identifier: identifier.identifier,
    ...(input.secret === undefined ? { secret } : {}),
  };
}

/** Creates the installation as a first start does, without an administrator. @throws WrongMasterKey */
export async function makeInstallation(operator: Operator): Promise<void> {
  const { system, passwords, clock } = operator;
  const firstStart = new FirstStartService(system, operator.masterKeys(), passwords, clock);
  await firstStart.start(undefined, false, async () => {});
}

/** @throws OperatorError IDENTIFIER_INVALID */
function requireIdentifier(text: string): Identifier {
  const parsed = parseIdentifier(text);
  if (parsed) return parsed;
  throw new OperatorError(
    'IDENTIFIER_INVALID',
    'Expected the identifier to be an email address or a phone number, such as you@example.com or +15551234567.',
  );
}

function refuseTaken({ identifier }: Identifier): never {
  throw new OperatorError(
    'IDENTIFIER_TAKEN',
    `${identifier} is taken: a user of ${DEFAULT_TENANT} has it. Choose another one, or give that user the role ${SYSTEM_ADMIN}.`,
  );
}

/** @throws OperatorError SECRET_WEAK */
async function requireGoodSecret({ system }: Operator, secret: string): Promise<void> {
  const stored = await system.maintain('read the password rules', (tx) =>
    findTenantConfig(tx, DEFAULT_TENANT),
  );
  const flaw = await passwordFlaw(secret, withDefaults(stored ?? {}));
  if (flaw !== undefined) throw new OperatorError('SECRET_WEAK', `The password ${flaw}.`);
}

interface Recovered {
  readonly user_id: UserId;
  readonly identifier: string;
  readonly factors_removed: number;
  readonly sessions_ended: number;
  /** Only if generated; otherwise the operator already knows it. */
  readonly secret?: string;
}

/** Restores access for a system administrator who lost the second factor or the password, by replacing both. */
export async function recoverAdministrator(
  operator: Operator,
  input: { readonly identifier: string; readonly secret?: string },
): Promise<Recovered> {
  const { identifier } = requireIdentifier(input.identifier);
  if (input.secret !== undefined) await requireGoodSecret(operator, input.secret);
  const secret = input.secret ?? drawSecret();
  const secretHash = await operator.passwords.hash(secret, OPERATOR);
  return operator.system.run(ACTOR, 'recover a system administrator', (tx) =>
    asTenant(tx, DEFAULT_TENANT, async (homeTx) => {
      const userId =
        (await findAdministrator(homeTx, identifier, SYSTEM_ADMIN)) ?? refuse(identifier);
      await setSecretHash(homeTx, userId, secretHash);
      const isVerified = await setVerified(homeTx, userId, identifier);
      // Also raises the version, which ends logins in progress.
      const factors = await removeAllFactors(homeTx, ACTOR, userId);
      const ended = await endSessionsOf(homeTx, userId, 'password_changed');
      const reason = 'password_changed';
      const fields = isVerified ? ['password', 'identifiers'] : ['password'];
      await recordUpdate(homeTx, ACTOR, userId, { fields, ended, reason });
      return {
        user_id: userId,
        identifier,
        factors_removed: factors,
        sessions_ended: ended.length,
        ...(input.secret === undefined ? { secret } : {}),
      };
    }),
  );
}

function refuse(identifier: string): never {
  throw new OperatorError(
    'NOT_FOUND',
    `${identifier} is not an active system administrator. "keywright admin create" creates a new one.`,
  );
}

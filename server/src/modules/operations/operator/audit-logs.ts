import { access, constants, readFile } from 'node:fs/promises';
import { parseTenantId, type TenantId } from '@keywright/contract/ids';
import { type PublicKey, importPublicKey } from '../../../platform/crypto/jws.ts';
import {
  findMacCheck,
  linesOfDatabase,
  linesOfFile,
  type Verdict,
  verifyLog,
} from '../../events/journal/index.ts';
import { listSigningKeys } from '../../tokens/signing-keys/index.ts';
import { OperatorError, type Operator } from './operator.ts';
import { listTenantRows } from './operator-store.ts';

export interface VerificationInput {
  readonly tenant?: string;
  /** A file of checkpoints stored elsewhere, one per line. */
  readonly checkpoints?: string;
}

export interface FileVerificationInput extends VerificationInput {
  /** An export of the whole log. */
  readonly file: string;
  /** The tenant's key set, including the keys used when the entries were written. */
  readonly key_set: string;
}

export interface VerifiedLogs {
  readonly is_intact: boolean;
  readonly logs: readonly Verdict[];
}

/** Verifies the audit logs of one tenant or all tenants in the database. Changes nothing. */
export async function verifyDatabase(
  { system, gate, auditKeys }: Operator,
  { tenant, checkpoints }: VerificationInput,
): Promise<VerifiedLogs> {
  const only = tenant === undefined ? undefined : (parseTenantId(tenant) ?? refuseUnknown(tenant));
  if (checkpoints !== undefined && only === undefined) {
    throw new OperatorError('USAGE', 'Checkpoints belong to one tenant: name it with --tenant.');
  }
  const rows = await system.maintain('look for audit logs', (tx) =>
    listTenantRows(tx, only === undefined ? {} : { id: only }),
  );
  if (rows.length === 0 && tenant !== undefined) refuseUnknown(tenant);
  const signed = await readCheckpoints(checkpoints);
  const logs: Verdict[] = [];
  for (const { id } of rows.filter((row) => row.state !== 'being_deleted')) {
    logs.push(await verifyTenant({ gate, auditKeys }, id, signed));
  }
  return verdictOf(logs);
}

async function verifyTenant(
  { gate, auditKeys }: Pick<Operator, 'gate' | 'auditKeys'>,
  id: TenantId,
  checkpoints: readonly string[],
): Promise<Verdict> {
  const tenant = gate.into(id);
  const keys = await tenant.transaction(listSigningKeys);
  const byId = new Map<string, PublicKey>(
    keys
      .filter(({ algorithm }) => algorithm === 'EdDSA')
      .map((row) => [row.id, importPublicKey(row.public_key)]),
  );
  const keyOf = (kid: string) => byId.get(kid);
  const macs = await findMacCheck(tenant, auditKeys);
  return verifyLog(id, linesOfDatabase(tenant), { keyOf, checkpoints, macs });
}

/** Verifies an export without a database. */
export async function verifyFile({
  file,
  key_set: keySet,
  tenant,
  checkpoints,
}: FileVerificationInput): Promise<VerifiedLogs> {
  const keys = readKeySet(await read(keySet), keySet);
  const signed = await readCheckpoints(checkpoints);
  await access(file, constants.R_OK).catch((error: unknown) => refuseUnreadable(file, error));
  const keyOf = (kid: string) => keys.get(kid);
  return verdictOf([
    await verifyLog(tenant ?? null, linesOfFile(file), { keyOf, checkpoints: signed }),
  ]);
}

function verdictOf(logs: readonly Verdict[]): VerifiedLogs {
  return { is_intact: logs.every((log) => log.is_intact), logs };
}

async function readCheckpoints(path: string | undefined): Promise<string[]> {
  if (path === undefined) return [];
  return (await read(path)).split(/\s+/).filter((token) => token !== '');
}

function readKeySet(text: string, path: string): ReadonlyMap<string, PublicKey> {
  try {
    const { keys } = JSON.parse(text) as {
      keys: readonly { kid: string; kty: string; x: string }[];
    };
    return new Map(
      keys.filter(({ kty }) => kty === 'OKP').map(({ kid, x }) => [kid, importPublicKey(x)]),
    );
  } catch {
    throw new OperatorError(
      'KEY_SET_INVALID',
      `${path} does not contain a key set with Ed25519 keys, as returned by GET /.well-known/jwks.json.`,
    );
  }
}

function read(path: string): Promise<string> {
  return readFile(path, 'utf8').catch((error: unknown) => refuseUnreadable(path, error));
}

function refuseUnreadable(path: string, error: unknown): never {
  const reason = error instanceof Error && 'code' in error ? String(error.code) : 'unknown reason';
  throw new OperatorError('FILE_UNREADABLE', `${path} cannot be read: ${reason}.`);
}

function refuseUnknown(tenant: string): never {
  throw new OperatorError(
    'NOT_FOUND',
    `There is no tenant ${JSON.stringify(tenant)}. "keywright tenant list" lists all tenants.`,
  );
}

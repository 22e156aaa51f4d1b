import { DEFAULT_TENANT, parseTenantId, type TenantId } from '@keywright/contract/ids';
import { readSchemaFiles } from '../../../platform/db/schema-files.ts';
import { issuerOf } from '../../../tenancy/directory.ts';
import type { SystemTx } from '../../../tenancy/system.ts';
import { makeInstallation } from './administrators.ts';
import { OperatorError, ACTOR, type Operator } from './operator.ts';
import {
  readTenantFile,
  requirePassphrase,
  type TenantFile,
  writeTenantFile,
} from './tenant-file.ts';
import {
  findDataKey,
  findIssuer,
  holdMasterKeyId,
  insertDataKey,
  isTenantIdTaken,
  readRows,
  setIssuer,
  writeRows,
} from './transfer-store.ts';

/** The approximate number of characters in the rows of a part. */
const PART_CHARACTERS = 256 * 1024;

/** The first part of a file. */
interface Head {
  readonly tenant_id: string;
  /** The name of the last migration, which must match because rows are copied unchanged. */
  readonly schema: string;
  /** The issuer in tokens that were already issued. */
  readonly issuer: string;
  /** In base64. Sealed data remains sealed under this key. */
  readonly data_key: string;
}

/** Every further part. */
interface Rows {
  readonly table: string;
  /** Each as JSON. */
  readonly rows: readonly string[];
}

interface Transferred {
  readonly id: TenantId;
  readonly rows: number;
  readonly file: string;
}

interface AskedExport {
  readonly tenant: string;
  readonly file: string;
  readonly passphrase: string;
}

/** Writes all data of a tenant to a file, encrypted with a key derived from the passphrase. */
export async function exportTenant(
  operator: Operator,
  { tenant, file: path, passphrase: given }: AskedExport,
): Promise<Transferred> {
  const id = parseTenantId(tenant) ?? refuseUnknown(tenant);
  if (id === DEFAULT_TENANT) {
    throw new OperatorError('USAGE', `${DEFAULT_TENANT} belongs to its installation.`);
  }
  const passphrase = requirePassphrase(given);
  const work = (tx: SystemTx) =>
    writeTenantFile(path, passphrase, (file) => writeParts(operator, tx, id, file));
  const rows = await operator.system.run(ACTOR, `export tenant ${id}`, work, id);
  return { id, rows, file: path };
}

async function writeParts(
  { masterKeys, config }: Operator,
  tx: SystemTx,
  id: TenantId,
  file: TenantFile,
): Promise<number> {
  const issuer = await findIssuer(tx, id);
  const wrapped = await findDataKey(tx, id);
  if (issuer === undefined || !wrapped) return refuseUnknown(id);
  const dataKey = masterKeys().unwrap(id, wrapped);
  const head: Head = {
    tenant_id: id,
    schema: schemaOfThisVersion(),
    issuer: issuer ?? issuerOf(id, baseUrlOf(config)),
    data_key: dataKey.toString('base64'),
  };
  dataKey.fill(0);
  await file.write(head);
  let written = 0;
  let part: { table: string; rows: string[] } = { table: '', rows: [] };
  let size = 0;
  const flush = async () => {
    if (part.rows.length > 0) await file.write(part satisfies Rows);
  };
  for await (const rows of readRows(tx, id)) {
    for (const { name, row } of rows) {
      if (name !== part.table || size + row.length > PART_CHARACTERS) {
        await flush();
        [part, size] = [{ table: name, rows: [] }, 0];
      }
      part.rows.push(row);
      size += row.length;
      written += 1;
    }
  }
  await flush();
  return written;
}

interface AskedImport {
  readonly file: string;
  readonly passphrase: string;
}

/** Imports such a file, completely or not at all. */
export async function importTenant(
  operator: Operator,
  { file: path, passphrase: given }: AskedImport,
): Promise<Transferred> {
  const parts = readTenantFile(path, requirePassphrase(given));
  const head = headOf((await parts.next()).value as Partial<Head> | undefined);
  const { tenant_id: id } = head;
  await makeInstallation(operator);
  const work = async (tx: SystemTx) => {
    if (await isTenantIdTaken(tx, id)) {
      throw new OperatorError('TENANT_EXISTS', `There is, or was, a tenant ${id} here.`);
    }
    let written = 0;
    for await (const part of parts) written += await writePart(tx, id, part as Rows);
    await adopt(operator, tx, head);
    tx.hooks.changed(id);
    return written;
  };
  const rows = await operator.system.run(ACTOR, `import tenant ${id}`, work, id);
  return { id, rows, file: path };
}

function headOf(head: Partial<Head> | undefined): Head & { readonly tenant_id: TenantId } {
  const id = parseTenantId(head?.tenant_id ?? '');
  const { schema, issuer, data_key: key } = head ?? {};
  if (!id || schema === undefined || issuer === undefined || key === undefined) {
    throw new OperatorError('FILE_UNREADABLE', 'The file is not an export of a tenant.');
  }
  if (schema !== schemaOfThisVersion()) {
    throw new OperatorError(
      'SCHEMA_DIFFERS',
      `The file was made with the schema ${schema}, and this is ${schemaOfThisVersion()}: use the same version for both.`,
    );
  }
  return { tenant_id: id, schema, issuer, data_key: key };
}

async function writePart(tx: SystemTx, id: TenantId, { table, rows }: Rows): Promise<number> {
  const written = await writeRows(tx, id, table, rows);
  if (written === rows.length) return written;
  if (table === 'tenant_domains') {
    throw new OperatorError('DOMAIN_TAKEN', `A domain of ${id} belongs to another tenant here.`);
  }
  throw new OperatorError('FILE_UNREADABLE', `The file has rows that are not of ${id}.`);
}

/** Inserts the data key, and keeps the issuer of the exported tenant, because issued tokens contain it. */
async function adopt(
  { masterKeys, config }: Operator,
  tx: SystemTx,
  { tenant_id, issuer, data_key }: ReturnType<typeof headOf>,
): Promise<void> {
  const dataKey = Buffer.from(data_key, 'base64');
  try {
    const masterKeyId = await holdMasterKeyId(tx);
    await insertDataKey(tx, tenant_id, masterKeys().wrap(tenant_id, dataKey, masterKeyId));
  } finally {
    dataKey.fill(0);
  }
  const own = await findIssuer(tx, tenant_id);
  if (own === null && issuer !== issuerOf(tenant_id, baseUrlOf(config))) {
    await setIssuer(tx, tenant_id, issuer);
  }
}

function baseUrlOf({ baseUrl, port }: Operator['config']): string {
  return baseUrl ?? `http://localhost:${port}`;
}

function schemaOfThisVersion(): string {
  return readSchemaFiles().migrations.at(-1)?.name ?? '';
}

function refuseUnknown(tenant: string): never {
  throw new OperatorError('NOT_FOUND', `There is no tenant ${JSON.stringify(tenant)}.`);
}

import { randomBytes, scrypt } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { type FileHandle, open, rm } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { DEFAULT_TENANT, type TenantId, parseTenantId } from '@keywright/contract/ids';
import { seal, unseal } from '../../../platform/crypto/sealed.ts';
import { readSchemaFiles } from '../../../platform/db/schema-files.ts';
import { issuerOf } from '../../../tenancy/directory.ts';
import type { SystemTx } from '../../../tenancy/gate.ts';
import { shareMasterKeyId } from '../installation/index.ts';
import { ACTOR, type Operator, OperatorError } from './operator.ts';
import { makeInstallation } from './tenants.ts';
import {
  findDataKey,
  findIssuer,
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

interface ExportInput {
  readonly tenant: string;
  readonly file: string;
  readonly passphrase: string;
}

/** Writes all data of a tenant to a file, encrypted with a key derived from the passphrase. */
export async function exportTenant(
  operator: Operator,
  { tenant, file: path, passphrase: rawPassphrase }: ExportInput,
): Promise<Transferred> {
  const id = parseTenantId(tenant) ?? refuseUnknown(tenant);
  if (id === DEFAULT_TENANT) {
    throw new OperatorError('USAGE', `${DEFAULT_TENANT} belongs to its installation.`);
  }
  const passphrase = requirePassphrase(rawPassphrase);
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

interface ImportInput {
  readonly file: string;
  readonly passphrase: string;
}

/** Imports such a file, completely or not at all. */
export async function importTenant(
  operator: Operator,
  { file: path, passphrase: rawPassphrase }: ImportInput,
): Promise<Transferred> {
  const parts = readTenantFile(path, requirePassphrase(rawPassphrase));
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
    const masterKeyId = await shareMasterKeyId(tx);
    if (masterKeyId === undefined) throw new Error('The installation has no master key.');
    await insertDataKey(tx, tenant_id, masterKeys().wrap(tenant_id, dataKey, masterKeyId));
  } finally {
    dataKey.fill(0);
  }
  const storedIssuer = await findIssuer(tx, tenant_id);
  if (storedIssuer === null && issuer !== issuerOf(tenant_id, baseUrlOf(config))) {
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

const FORMAT = 'keywright tenant export 1';
const SALT_BYTES = 16;
/** 64 MiB, because an export can be stored where an attacker can try passphrases on it. */
const SCRYPT = { N: 2 ** 16, r: 8, p: 1, maxmem: 2 ** 27 };
const KEY_BYTES = 32;
const SHORTEST_PASSPHRASE = 16;

const derive = promisify<string, Buffer, number, typeof SCRYPT, Buffer>(scrypt);

/** Writes the parts of a file in order. Each part is encrypted and bound to its position. */
interface TenantFile {
  write(part: object): Promise<void>;
}

/** @throws OperatorError USAGE */
function requirePassphrase(passphrase: string): string {
  if (passphrase.length >= SHORTEST_PASSPHRASE) return passphrase.normalize('NFKC');
  throw new OperatorError(
    'USAGE',
    `The passphrase needs at least ${SHORTEST_PASSPHRASE} characters. Create one with: openssl rand -base64 24`,
  );
}

/**
 * Creates a file that other users cannot read. Removes the file if the work fails.
 * @throws OperatorError FILE_UNWRITABLE
 */
async function writeTenantFile<Result>(
  path: string,
  passphrase: string,
  work: (file: TenantFile) => Promise<Result>,
): Promise<Result> {
  const salt = randomBytes(SALT_BYTES);
  const key = await derive(passphrase, salt, KEY_BYTES, SCRYPT);
  const handle = await create(path);
  try {
    await handle.write(`${JSON.stringify({ format: FORMAT, salt: salt.toString('base64') })}\n`);
    let parts = 0;
    const write = async (part: object) => {
      const sealed = seal(key, Buffer.from(JSON.stringify(part)), placeOf(parts));
      parts += 1;
      await handle.write(`${sealed.toString('base64')}\n`);
    };
    const result = await work({ write });
    // Without it, a file that was cut off at the end of a line would look complete.
    await write({ end: parts });
    await handle.sync();
    await handle.close();
    return result;
  } catch (error) {
    await handle.close();
    await rm(path, { force: true });
    throw error;
  } finally {
    key.fill(0);
  }
}

async function create(path: string): Promise<FileHandle> {
  try {
    return await open(path, 'wx', 0o600);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const why = code === 'EEXIST' ? 'it already exists' : code;
    throw new OperatorError('FILE_UNWRITABLE', `${path} cannot be written: ${why}.`);
  }
}

/**
 * Reads the parts of a file. @throws OperatorError FILE_UNREADABLE for another passphrase, another format, and a file
 * that was changed or is incomplete: possibly only after its last part
 */
async function* readTenantFile(path: string, passphrase: string): AsyncGenerator<object> {
  const lines = createInterface({ input: createReadStream(path, 'latin1'), crlfDelay: Infinity });
  let key: Buffer | undefined;
  let parts = 0;
  let isWhole = false;
  try {
    for await (const line of lines) {
      if (isWhole) throw unreadable(path, 'it has data after the end of the export');
      if (!key) {
        key = await derive(passphrase, saltIn(path, line), KEY_BYTES, SCRYPT);
        continue;
      }
      const part = openPart(path, key, line, parts);
      isWhole = (part as { readonly end?: number }).end === parts;
      parts += 1;
      if (!isWhole) yield part;
    }
  } catch (error) {
    const { code, syscall } = error as NodeJS.ErrnoException;
    if (error instanceof OperatorError || code === undefined || syscall === undefined) throw error;
    throw unreadable(path, code);
  } finally {
    key?.fill(0);
  }
  if (!isWhole) throw unreadable(path, 'it is incomplete');
}

function saltIn(path: string, line: string): Buffer {
  try {
    const { format, salt } = JSON.parse(line) as { format?: unknown; salt?: unknown };
    if (format === FORMAT && typeof salt === 'string') return Buffer.from(salt, 'base64');
  } catch {
    // It is no export.
  }
  throw unreadable(path, 'it is not an export of a tenant by this version');
}

function openPart(path: string, key: Buffer, line: string, part: number): object {
  try {
    return JSON.parse(unseal(key, Buffer.from(line, 'base64'), placeOf(part)).toString()) as object;
  } catch {
    throw unreadable(path, part === 0 ? 'the passphrase is wrong' : 'it was changed');
  }
}

function unreadable(path: string, why: string): OperatorError {
  return new OperatorError('FILE_UNREADABLE', `${path} cannot be read: ${why}.`);
}

function placeOf(part: number): string {
  return `tenant export, part ${part}`;
}

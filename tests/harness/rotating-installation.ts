import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import type { TenantId } from '@keywright/contract/ids';
import { MasterKeys } from '@keywright/server/tenancy/data-keys';
import { runCommand } from './command-line.ts';
import { newIdentifier, newPassword } from './credentials.ts';
import type { TestDatabase } from './database.ts';

interface KeyRow {
  readonly tenant_id: TenantId;
  readonly wrapped_key: Buffer;
  readonly master_key_id: string;
}

export function newKey(): string {
  return randomBytes(32).toString('base64');
}

export function keysOf(...keys: readonly string[]) {
  return new MasterKeys(keys.map((key) => Buffer.from(key, 'base64')));
}

/** An installation whose master key is about to be rotated. */
export class Installation {
  readonly oldKey = newKey();
  readonly newKey = newKey();
  readonly database: TestDatabase;
  readonly admin = { identifier: newIdentifier(), secret: newPassword() };

  constructor(database: TestDatabase) {
    this.database = database;
  }

  env(key: string, previous?: string): Record<string, string> {
    return {
      KEYWRIGHT_DATABASE_URL: this.database.url,
      KEYWRIGHT_MASTER_KEY: key,
      ...(previous === undefined ? {} : { KEYWRIGHT_MASTER_KEY_PREVIOUS: previous }),
    };
  }

  /** The environment during the rotation. */
  get both(): Record<string, string> {
    return this.env(this.newKey, this.oldKey);
  }

  async createAdmin(): Promise<void> {
    const { identifier, secret: input } = this.admin;
    const args = ['admin', 'create', `--identifier=${identifier}`, '--secret-stdin'];
    const { code, stderr } = await runCommand(args, { env: this.env(this.oldKey), input });
    assert.equal(code, 0, stderr);
  }

  /** Adds tenants with only a data key, wrapped by that master key. @returns the data keys */
  async addDataKeys(amount: number, key = this.oldKey): Promise<Map<TenantId, Buffer>> {
    const prefix = `org_${randomBytes(4).toString('hex')}`;
    const dataKeys = new Map(
      Array.from({ length: amount }, (_, index) => {
        const id = `${prefix}-${String(index).padStart(5, '0')}` as TenantId;
        return [id, randomBytes(32)] as const;
      }),
    );
    const masterKeys = keysOf(key);
    const masterKeyId = masterKeys.ids[0] ?? '';
    const wrapped = [...dataKeys].map(([id, dataKey]) =>
      masterKeys.wrap(id, dataKey, masterKeyId).wrapped_key.toString('hex'),
    );
    const ids = [...dataKeys.keys()];
    await this.database.query(
      'INSERT INTO tenants (tenant_id, name, created_at) SELECT id, id, now() FROM unnest($1::text[]) id',
      [ids],
    );
    await this.database.query(
      `INSERT INTO tenant_data_keys (tenant_id, wrapped_key, master_key_id, created_at)
       SELECT id, decode(wrapped, 'hex'), $3, now() FROM unnest($1::text[], $2::text[]) AS k (id, wrapped)`,
      [ids, wrapped, masterKeyId],
    );
    return dataKeys;
  }

  rows(): Promise<KeyRow[]> {
    return this.database.query('SELECT * FROM tenant_data_keys ORDER BY tenant_id');
  }

  /** The number of data keys wrapped by the given master key. */
  async countUnder(key: string): Promise<number> {
    const id = keysOf(key).ids[0];
    return (await this.rows()).filter((row) => row.master_key_id === id).length;
  }

  async installedId(): Promise<string | undefined> {
    const [row] = await this.database.query<{ id: string }>(
      'SELECT master_key_id AS id FROM installation',
    );
    return row?.id;
  }

  /** Asserts that the new master key alone unwraps every data key, and that no data key has changed. */
  async requireAllUnderNewKey(expected: ReadonlyMap<TenantId, Buffer>): Promise<void> {
    const rows = await this.rows();
    const keys = keysOf(this.newKey);
    for (const row of rows) {
      const dataKey = keys.unwrap(row.tenant_id, row);
      assert.deepEqual(dataKey, expected.get(row.tenant_id) ?? dataKey);
    }
    assert.ok(rows.length > expected.size);
  }
}

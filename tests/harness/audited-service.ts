import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { runVerify } from './audit-log.ts';
import { expectStatus } from './http.ts';
import { type Keywright, startKeywright } from './keywright.ts';
import type { TestTenant } from './tenant.ts';

/** A service, and an auditor with its database and master key. */
export class AuditedService {
  readonly keywright: Keywright;
  readonly masterKey: string;
  #tenant: TestTenant | undefined;
  #tenants = 0;

  constructor(keywright: Keywright, masterKey: string) {
    this.keywright = keywright;
    this.masterKey = masterKey;
  }

  static async start(): Promise<AuditedService> {
    const masterKey = randomBytes(32).toString('base64');
    const env = { KEYWRIGHT_MASTER_KEY: masterKey };
    return new AuditedService(await startKeywright({ env }), masterKey);
  }

  close(): Promise<void> {
    return this.keywright.close();
  }

  /** Selects the tenant of later calls. */
  async newTenant(): Promise<TestTenant> {
    this.#tenants += 1;
    this.#tenant = await this.keywright.tenant(`audited-${this.#tenants}`);
    return this.#tenant;
  }

  get tenant(): TestTenant {
    if (!this.#tenant) throw new Error('There is no tenant yet.');
    return this.#tenant;
  }

  /** Creates an entry by creating a workspace. */
  async makeRoom(name: string): Promise<void> {
    const options = { token: await this.tenant.adminToken(), body: { name } };
    expectStatus(201, await this.tenant.request('POST', '/workspaces', options));
  }

  async seal(): Promise<void> {
    await this.keywright.nodes[0]?.sealing.seal(this.tenant.id);
  }

  verify(...args: readonly string[]) {
    return runVerify(this.keywright.database, this.masterKey, ...args);
  }

  /** The findings and their positions, once output and exit code agree. */
  async findings(...args: readonly string[]): Promise<readonly (readonly unknown[])[]> {
    const { code, answer } = await this.verify(...args, '--json');
    const [log] = answer.result.logs;
    const found = log?.findings.map(({ problem, position }) => [problem, position]) ?? [];
    assert.equal(code, found.length === 0 ? 0 : 3);
    assert.equal(answer.result.is_intact, found.length === 0);
    return found;
  }

  findingsInDatabase(): Promise<readonly (readonly unknown[])[]> {
    return this.findings(`--tenant=${this.tenant.id}`);
  }

  /** Runs SQL as an attacker with database access; `$tenant` is the tenant. */
  change(sql: string) {
    return this.keywright.database.query(sql.replaceAll('$tenant', `'${this.tenant.id}'`));
  }

  async newestCheckpoint(): Promise<string> {
    const token = await this.tenant.adminToken();
    const path = '/audit/checkpoints?limit=1';
    const { body } = await this.tenant.request<{ items: { token: string }[] }>('GET', path, {
      token,
    });
    return body.items[0]?.token ?? '';
  }

  /** The whole log as JSON lines. */
  async exported(): Promise<string> {
    const options = {
      token: await this.tenant.adminToken(),
      headers: { accept: 'application/x-ndjson' },
    };
    return (await this.tenant.request('GET', '/audit', options)).text;
  }
}

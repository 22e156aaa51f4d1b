import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import type { TokenAnswer } from '@keywright/contract/records/tokens';
import { runCommand } from './command-line.ts';
import { createDatabase, type TestDatabase } from './database.ts';
import { type ServerProcess, startServerProcess } from './process.ts';

/** The environment of a service, and of the commands of its operator, on a database. */
export function environmentOn({ url }: Pick<TestDatabase, 'url'>) {
  return {
    KEYWRIGHT_DATABASE_URL: url,
    KEYWRIGHT_MASTER_KEY: randomBytes(32).toString('base64'),
  };
}

/** A service in a separate process, and its operator at the command line. */
export class Installation {
  readonly database: TestDatabase;
  readonly env: ReturnType<typeof environmentOn>;
  readonly server: ServerProcess;

  constructor(parts: Pick<Installation, 'database' | 'env' | 'server'>) {
    this.database = parts.database;
    this.env = parts.env;
    this.server = parts.server;
  }

  static async start(): Promise<Installation> {
    const database = await createDatabase();
    const env = environmentOn(database);
    return new Installation({ database, env, server: await startServerProcess({ env }) });
  }

  /** Stops the service, and requires a clean exit. */
  async close(): Promise<void> {
    const { code, signal } = await this.server.interrupt();
    await this.database.drop();
    assert.deepEqual([code, signal], [0, null], this.server.stdout + this.server.stderr);
  }

  run<Result = Record<string, string>>(args: readonly string[], input = '') {
    return runCommand<Result>(args, { env: this.env, input });
  }

  logIn(identifier: string, secret: string, tenant = 'org_default') {
    return this.server.http.request<TokenAnswer>('POST', '/auth/login', {
      tenant,
      body: { identifier, secret },
    });
  }

  /** @param table can be followed by a condition */
  async count(table: string): Promise<number> {
    const [row] = await this.database.query<{ n: number }>(
      `SELECT count(*)::integer AS n FROM ${table}`,
    );
    return row?.n ?? 0;
  }
}

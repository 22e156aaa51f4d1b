import assert from 'node:assert/strict';
import type { RequestOptions } from '../harness/http.ts';
import { type Keywright, startKeywright } from '../harness/keywright.ts';
import type { TestUser } from '../harness/tenant.ts';
import { stateOf } from './database-state.ts';
import { assertRefused } from './refusal.ts';

/**
 * One bad request. `{user}` in the call is replaced by the id of a known user; the response is a status and a code;
 * `at` lists the paths of a validation error, if relevant.
 */
export type BadRequest = readonly [
  title: string,
  call: string,
  options: RequestOptions,
  answer: string,
  ...at: string[],
];

export const EXISTING_IDENTIFIER = 'known@example.com';

/** A service with an administrator and a known user, to send bad requests to. */
export class Target {
  readonly keywright: Keywright;
  readonly existingUser: TestUser;
  readonly #token: string;

  private constructor(keywright: Keywright, existingUser: TestUser, token: string) {
    this.keywright = keywright;
    this.existingUser = existingUser;
    this.#token = token;
  }

  static async start(): Promise<Target> {
    const keywright = await startKeywright();
    const existingUser = await keywright.createUser({ identifier: EXISTING_IDENTIFIER });
    return new Target(keywright, existingUser, await keywright.adminToken());
  }

  close(): Promise<void> {
    return this.keywright.close();
  }

  /** As the administrator. */
  send(call: string, options: RequestOptions = {}) {
    const [method = '', path = ''] = call.replace('{user}', this.existingUser.user.id).split(' ');
    return this.keywright.request(method, path, { token: this.#token, ...options });
  }

  /** Asserts that the request gets this response, and that no row of the database changes. */
  async refuses([, call, options, answer, ...at]: BadRequest): Promise<void> {
    await this.unchanged(async () => assertRefused(await this.send(call, options), answer, at));
  }

  async unchanged(work: () => Promise<unknown>): Promise<void> {
    const before = await stateOf(this.keywright.database);
    await work();
    assert.deepEqual(await stateOf(this.keywright.database), before);
  }

  get hashesComputed(): number {
    return this.keywright.nodes.reduce((sum, node) => sum + node.passwords.computed, 0);
  }
}

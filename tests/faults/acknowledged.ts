import assert from 'node:assert/strict';
import type { TokenAnswer } from '@keywright/contract/records/tokens';
import { expectStatus } from '../harness/http.ts';
import type { ServerProcess } from '../harness/process.ts';

/** The sessions of a user, as far as the service acknowledged that they began and ended. */
export class AcknowledgedSessions {
  readonly #service: ServerProcess;
  readonly #user: { readonly identifier: string; readonly secret: string };
  readonly #live: string[] = [];
  readonly #ended: string[] = [];

  constructor(service: ServerProcess, user: { identifier: string; secret: string }) {
    this.#service = service;
    this.#user = user;
  }

  /** Tries to log in twice and to log out of one of the sessions, and records what the service acknowledged. */
  async attempt(): Promise<void> {
    for (const isEnded of [false, true]) {
      const { http } = this.#service;
      const login = await http.request<TokenAnswer>('POST', '/auth/login', { body: this.#user });
      if (login.status !== 200) continue;
      const { access_token: token } = login.body;
      if (!isEnded) this.#live.push(token);
      else if ((await http.request('POST', '/auth/logout', { token })).status === 200) {
        this.#ended.push(token);
      }
    }
  }

  /** @throws if a session was lost, or if an ended session is accepted */
  async verify(): Promise<void> {
    assert.ok(this.#live.length > 0 && this.#ended.length > 0);
    const { http } = this.#service;
    for (const token of this.#live) expectStatus(200, await http.request('GET', '/me', { token }));
    for (const token of this.#ended) expectStatus(401, await http.request('GET', '/me', { token }));
  }
}

import type { Bench } from '../measure/bench.ts';
import type { Person } from '../target/seed.ts';
import { type Service, startService } from '../target/service.ts';
import { type Client, expectStatus, openClient } from '../tenants/client.ts';
import { type Receiver, startReceiver } from './receiver.ts';

/** The service, an administrator, and a receiver. */
export interface Scene {
  readonly bench: Bench;
  readonly receiver: Receiver;
  readonly service: Service;
  readonly admin: Admin;
  close(): Promise<void>;
}

/** Permits calls to the receiver, which is on loopback. */
export const ALLOWED = { KEYWRIGHT_EGRESS_ALLOW: '127.0.0.0/8' };

export async function openScene(bench: Bench): Promise<Scene> {
  await bench.database.settle();
  const service = await startService({ ...bench.env, ...ALLOWED });
  const receiver = await startReceiver();
  const admin = new Admin(bench, service.port);
  return {
    bench,
    receiver,
    service,
    admin,
    async close() {
      await admin.deleteAll();
      admin.close();
      await service.stop();
      receiver.close();
    },
  };
}

/** An administrator of the tenant under load. */
export class Admin {
  readonly #person: Person;
  readonly #client: Client;
  #webhooks: string[] = [];

  constructor({ seed }: Bench, port: number) {
    this.#person = seed.people[0] as Person;
    this.#client = openClient(port, seed.tenantId);
  }

  async send(method: string, path: string, body?: object): Promise<Record<string, unknown>> {
    const question = { token: this.#person.accessToken, ...(body ? { body } : {}) };
    const answer = await this.#client.send(method, path, question);
    return expectStatus(answer, answer.status === 201 ? 201 : 200).body as Record<string, unknown>;
  }

  async register(url: string, events: readonly string[]): Promise<string> {
    const { id } = await this.send('POST', '/webhooks', { url, events });
    this.#webhooks.push(String(id));
    return String(id);
  }

  async switch(webhookId: string, isActive: boolean): Promise<void> {
    await this.send('PATCH', `/webhooks/${webhookId}`, { is_active: isActive });
  }

  async deleteAll(): Promise<void> {
    for (const id of this.#webhooks) await this.send('DELETE', `/webhooks/${id}`);
    this.#webhooks = [];
  }

  close(): void {
    this.#client.close();
  }
}

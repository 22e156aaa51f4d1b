import type { EventType } from '@keywright/contract/events';
import type { DeliveryRecord, WebhookRecord } from '@keywright/contract/records/webhook';
import { type Answer, type JsonBody, expectStatus } from './http.ts';
import type { RequestToNode, TestTenant } from './tenant.ts';

export interface Registered {
  readonly webhook: WebhookRecord;
  readonly secret: string;
}

/** Manages a tenant's webhook endpoints through the API as its administrator. */
export class Webhooks {
  readonly #tenant: TestTenant;

  constructor(tenant: TestTenant) {
    this.#tenant = tenant;
  }

  async request<Body = JsonBody>(
    method: string,
    path: string,
    options: Omit<RequestToNode, 'token'> = {},
  ): Promise<Answer<Body>> {
    const token = await this.#tenant.adminToken();
    return this.#tenant.request<Body>(method, path, { token, ...options });
  }

  /** @throws if the response is not a success */
  async send<Body = JsonBody>(method: string, path: string, body?: object): Promise<Body> {
    const answer = await this.request<Body>(method, path, body ? { body } : {});
    return expectStatus(answer.status === 201 ? 201 : 200, answer);
  }

  async register(
    url: string,
    events: readonly EventType[] = ['webhook.deleted'],
    secret?: string,
  ): Promise<Registered> {
    const body = { url, events, ...(secret === undefined ? {} : { secret }) };
    const made = await this.send<WebhookRecord & { secret: string }>('POST', '/webhooks', body);
    const { secret: shown, ...webhook } = made;
    return { webhook, secret: shown };
  }

  get({ id }: WebhookRecord): Promise<WebhookRecord> {
    return this.send<WebhookRecord>('GET', `/webhooks/${id}`);
  }

  change({ id }: WebhookRecord, change: object): Promise<WebhookRecord> {
    return this.send<WebhookRecord>('PATCH', `/webhooks/${id}`, change);
  }

  /** Sends a test event. */
  tryOut({ id }: WebhookRecord): Promise<DeliveryRecord> {
    return this.send<DeliveryRecord>('POST', `/webhooks/${id}/test`);
  }

  /** The deliveries to an endpoint, newest first. */
  async deliveries({ id }: WebhookRecord, query = ''): Promise<DeliveryRecord[]> {
    const path = `/webhooks/${id}/deliveries${query}`;
    return (await this.send<{ items: DeliveryRecord[] }>('GET', path)).items;
  }
}

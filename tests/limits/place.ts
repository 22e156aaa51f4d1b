// A tenant in which an attacker fills a counter, and the users who must still get through.

import assert from 'node:assert/strict';
import type { ErrorBody } from '@keywright/contract/errors';
import type { StartedFlow, FlowAnswer } from '@keywright/contract/records/login-flow';
import type { MessageRecord } from '@keywright/contract/records/message';
import type { TenantConfig } from '@keywright/contract/records/tenant';
import type { LoginAnswer } from '@keywright/contract/records/tokens';
import { counted, type CounterName } from '@keywright/server/tenancy/counters';
import { type Answer, expectStatus } from '../harness/http.ts';
import type { Keywright } from '../harness/keywright.ts';
import type { MailSink } from '../harness/mail-sink.ts';
import { newNumber, type SmsSink, smsThrough } from '../harness/sms-sink.ts';
import type { TestTenant } from '../harness/tenant.ts';
import { until } from '../harness/until.ts';

export interface Scenario {
  readonly config?: Partial<TenantConfig>;
  /** Exhausts the counter, and asserts which users still get through. */
  readonly run: (place: Place) => Promise<void>;
}

/** An address in the attacker's network, a /24. */
export const ATTACKER = '198.51.100.7';
export const attackers = (index: number) => `198.51.100.${1 + (index % 250)}`;
/** An address in a network that has not been rejected. */
export const HOME = '203.0.113.5';
const ELSEWHERE = '192.0.2.9';
export const MANY = 1000;

export interface Person {
  readonly identifier: string;
  readonly secret: string;
}

export interface Member extends Person {
  readonly id: string;
  readonly deviceToken: string;
}

/** Repeats a request until it is rejected. @returns the number of admitted requests */
export async function useUp(send: (index: number) => Promise<Answer<unknown>>): Promise<number> {
  for (let index = 0; index < MANY; index += 1) {
    const { status } = await send(index);
    if (status === 429) return index;
  }
  return assert.fail('It was never refused.');
}

export class Place {
  readonly keywright: Keywright;
  readonly tenant: TestTenant;
  readonly mails: MailSink;
  readonly texts: SmsSink;

  constructor(keywright: Keywright, tenant: TestTenant, mails: MailSink, texts: SmsSink) {
    this.keywright = keywright;
    this.tenant = tenant;
    this.mails = mails;
    this.texts = texts;
  }

  /** Returns the same place in another tenant. */
  at(tenant: TestTenant): Place {
    return new Place(this.keywright, tenant, this.mails, this.texts);
  }

  post<Body>(path: string, from: string, body: object): Promise<Answer<Body & ErrorBody>> {
    const headers = { 'x-forwarded-for': from };
    return this.tenant.request<Body & ErrorBody>('POST', path, { headers, body });
  }

  logIn({ identifier, secret }: Person, from: string, more: object = {}) {
    return this.post<LoginAnswer>('/auth/login', from, { identifier, secret, ...more });
  }

  /** A user with a verified address, and a device in a network of their own. */
  async member(): Promise<Member> {
    const { user, identifier, password: secret } = await this.tenant.createUser();
    await this.setIdentifiers(user.id, [{ type: 'email', identifier, verified: true }]);
    const login = expectStatus(200, await this.logIn({ identifier, secret }, ELSEWHERE));
    return { id: user.id, identifier, secret, deviceToken: login.device_token };
  }

  /** A user with a verified number. */
  async memberByPhone(): Promise<Person> {
    const { user, password: secret } = await this.tenant.createUser();
    const identifier = newNumber();
    await this.setIdentifiers(user.id, [{ type: 'phone', identifier, verified: true }]);
    return { identifier, secret };
  }

  async setIdentifiers(userId: string, identifiers: readonly object[]): Promise<void> {
    const change = { token: await this.tenant.adminToken(), body: { identifiers } };
    expectStatus(200, await this.tenant.request('PATCH', `/users/${userId}`, change));
  }

  async withSms(more: Partial<TenantConfig> = {}): Promise<void> {
    const config = { sms_countries: ['AT', 'CH', 'DE', 'FR', 'GB', 'IT'], ...more };
    const body = { config, messaging: { sms: smsThrough(this.texts) } };
    const options = { token: await this.tenant.adminToken(), body };
    const path = `/tenants/${this.tenant.id}`;
    expectStatus(200, await this.tenant.request('PATCH', path, options));
  }

  async startFlow(identifier: string, from: string, more: object = {}): Promise<StartedFlow> {
    // An address can start 30 flows a minute.
    this.keywright.clock.advance(3);
    const started = await this.post<StartedFlow>('/auth/flows', from, { identifier, ...more });
    return expectStatus(201, started);
  }

  send({ flow, flow_token }: StartedFlow, from: string): Promise<Answer<ErrorBody>> {
    return this.post<ErrorBody>(`/auth/flows/${flow.id}/message`, from, { flow_token });
  }

  /** Starts a flow, and requests its message. */
  async requestMessage(
    identifier: string,
    from: string,
    more: object = {},
  ): Promise<Answer<ErrorBody>> {
    return this.send(await this.startFlow(identifier, from, more), from);
  }

  prove({ flow, flow_token }: StartedFlow, code: string, from: string) {
    const path = `/auth/flows/${flow.id}/code`;
    return this.post<FlowAnswer>(path, from, { flow_token, code });
  }

  /** How many login messages were not withheld. */
  async sent(): Promise<number> {
    const options = { token: await this.tenant.adminToken() };
    return until('no message is pending', async () => {
      const path = '/messages?limit=100';
      const list = await this.tenant.request<{ items: MessageRecord[] }>('GET', path, options);
      const { items } = expectStatus(200, list);
      if (items.some(({ status }) => status === 'pending')) return undefined;
      return items.filter(({ kind, status }) => kind === 'login' && status !== 'not_sent').length;
    });
  }

  /** Fills a counter that one network cannot fill. */
  async pour(attempts: number, name: CounterName, ...key: readonly string[]): Promise<void> {
    const [row] = await this.keywright.database.query(
      'UPDATE login_attempts SET attempts = $3 WHERE tenant_id = $1 AND subject = $2 RETURNING 1 AS found',
      [this.tenant.id, counted(name, ...key), attempts],
    );
    assert.ok(row, 'nothing was counted');
  }
}

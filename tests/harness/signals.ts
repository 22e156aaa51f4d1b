// Receivers of shared signals: clients with streams, and the servers that events are pushed to.

import type { ServerResponse } from 'node:http';
import type { CreatedOAuthClient } from '@keywright/contract/records/oauth-client';
import type { SignalStreamRecord } from '@keywright/contract/records/signal-stream';
import { DELIVERY_METHODS } from '@keywright/contract/signals';
import { expectStatus } from './http.ts';
import { type Receiver, type ReceiverOptions, startReceiver } from './receiver.ts';
import { RelyingParty } from './relying-party.ts';
import type { RequestToNode, TestTenant } from './tenant.ts';
import { payloadOf } from './token.ts';
import { getToken } from './token-endpoint.ts';

/** An event, as it was received. Nothing of it is verified. */
export interface Pushed {
  readonly path: string;
  readonly contentType: string;
  readonly authorization: string | undefined;
  readonly token: string;
  readonly claims: SetClaims;
}

export interface SetClaims {
  readonly jti: string;
  readonly sub_id: {
    readonly format: string;
    readonly id?: string;
    readonly sub?: string;
    readonly user?: { readonly sub: string };
    readonly session?: { readonly id: string };
  };
  readonly events: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly [name: string]: unknown;
}

export function setClaims(token: string): SetClaims {
  return payloadOf(token) as SetClaims;
}

/** The last part of the URI of its event. */
export function nameOf({ events }: SetClaims): string {
  return Object.keys(events)[0]?.split('/').at(-1) ?? '';
}

/** The user that it is about. */
export function subjectOf({ sub_id: subject }: SetClaims): string | undefined {
  return subject.user?.sub ?? subject.sub;
}

export interface SignalReceiver {
  readonly url: string;
  readonly pushed: readonly Pushed[];
  /** The events received at a path. */
  at(path: string): Pushed[];
  /** Sends further responses; default: status 202. */
  answer: (response: ServerResponse, pushed: Pushed) => void;
  close(): Promise<void>;
}

export async function startSignalReceiver(options: ReceiverOptions = {}): Promise<SignalReceiver> {
  const pushed: Pushed[] = [];
  const server: Receiver = await startReceiver((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const token = Buffer.concat(chunks).toString();
      const { url: path = '', headers } = request;
      const { authorization } = headers;
      const contentType = headers['content-type'] ?? '';
      const push = { path, contentType, authorization, token, claims: setClaims(token) };
      pushed.push(push);
      receiver.answer(response, push);
    });
  }, options);
  const receiver: SignalReceiver = {
    url: `http://${options.address ?? '127.0.0.1'}:${server.port}`,
    pushed,
    at: (path) => pushed.filter((push) => push.path === path),
    answer: (response) => response.writeHead(202).end(),
    close: () => server.close(),
  };
  return receiver;
}

interface Options {
  /** Default `own_users`. */
  readonly reach?: 'own_users' | 'all_users';
  /** Fields of the client, in addition to the defaults. */
  readonly fields?: object;
  readonly issuer?: string;
}

/** A client that manages streams. It can also log users in. */
export class SignalClient {
  readonly app: RelyingParty;
  readonly #tenant: TestTenant;

  private constructor(tenant: TestTenant, app: RelyingParty) {
    this.#tenant = tenant;
    this.app = app;
  }

  static async register(
    tenant: TestTenant,
    { reach = 'own_users', fields = {}, ...options }: Options = {},
  ): Promise<SignalClient> {
    const app = await RelyingParty.register(tenant, {
      ...options,
      fields: {
        grant_types: ['authorization_code', 'refresh_token', 'client_credentials'],
        shared_signals: reach,
        ...fields,
      },
    });
    return new SignalClient(tenant, app);
  }

  get client(): CreatedOAuthClient {
    return this.app.client;
  }

  /** An access token for its streams. */
  token(scope?: string): Promise<string> {
    const { id, client_secret: secret = '' } = this.client;
    return getToken(this.#tenant, {
      grant_type: 'client_credentials',
      client_id: id,
      client_secret: secret,
      ...(scope !== undefined && { scope }),
    });
  }

  /** Calls an endpoint of the transmitter, at the address of the issuer. */
  async call<Body>(method: string, path: string, body?: object, options: RequestToNode = {}) {
    const { id } = this.#tenant;
    return this.#tenant.request<Body>(method, `/t/${id}/oauth/ssf${path}`, {
      token: await this.token(),
      ...(body && { body }),
      ...options,
    });
  }

  /** Creates a stream of all events. @param url the push endpoint; without it, events are polled */
  async stream(url?: string, more: object = {}): Promise<SignalStreamRecord> {
    const push = { method: DELIVERY_METHODS.push, endpoint_url: url };
    const body = { ...(url !== undefined && { delivery: push }), ...more };
    return expectStatus(201, await this.call<SignalStreamRecord>('POST', '/streams', body));
  }

  /** Polls at a node, without waiting. */
  async poll(streamId: string, request: object = {}, node = 0): Promise<PolledSets> {
    const body = { returnImmediately: true, ...request };
    const answer = await this.call<PolledSets>('POST', `/poll/${streamId}`, body, { node });
    return expectStatus(200, answer);
  }
}

export interface PolledSets {
  readonly sets: Readonly<Record<string, string>>;
  readonly moreAvailable?: boolean;
}

// The servers of applications that are notified of logouts.

import type { ServerResponse } from 'node:http';
import { claimsOf } from './token.ts';
import { type Receiver, type ReceiverOptions, startReceiver } from './receiver.ts';

/** A logout token, as it was received. */
export interface Told {
  readonly path: string;
  readonly method: string;
  readonly contentType: string;
  readonly body: string;
  readonly token: string;
  /** Not verified. */
  readonly claims: Readonly<Record<string, unknown>>;
  readonly sid: string;
}

export interface LogoutReceiver {
  readonly url: string;
  readonly told: readonly Told[];
  /** The logout tokens received at a path. */
  at(path: string): Told[];
  /** Sends further responses; default: status 200. */
  answer: (response: ServerResponse, told: Told) => void;
  close(): Promise<void>;
}

export async function startLogoutReceiver(options: ReceiverOptions = {}): Promise<LogoutReceiver> {
  const told: Told[] = [];
  const server: Receiver = await startReceiver((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString();
      const token = new URLSearchParams(body).get('logout_token') ?? '';
      const claims = claimsOf(token);
      const { url: path = '', method = '', headers } = request;
      const contentType = headers['content-type'] ?? '';
      const one = { path, method, contentType, body, token, claims, sid: String(claims['sid']) };
      told.push(one);
      receiver.answer(response, one);
    });
  }, options);
  const receiver: LogoutReceiver = {
    url: `http://${options.address ?? '127.0.0.1'}:${server.port}`,
    told,
    at: (path) => told.filter((one) => one.path === path),
    answer: (response) => response.end(),
    close: () => server.close(),
  };
  return receiver;
}

/** Responds with a status and an empty body. */
export const withStatus =
  (status: number, headers: Readonly<Record<string, string>> = {}) =>
  (response: ServerResponse): void => {
    response.writeHead(status, headers).end();
  };

// The servers of applications that are notified of logouts.

import type { ServerResponse } from 'node:http';
import { claimsOf } from './token.ts';
import { type Receiver, type ReceiverOptions, startReceiver } from './receiver.ts';

/** A logout token, as it was received. */
export interface ReceivedLogout {
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
  readonly received: readonly ReceivedLogout[];
  /** The logout tokens received at a path. */
  at(path: string): ReceivedLogout[];
  /** Sends further responses; default: status 200. */
  answer: (response: ServerResponse, logout: ReceivedLogout) => void;
  close(): Promise<void>;
}

export async function startLogoutReceiver(options: ReceiverOptions = {}): Promise<LogoutReceiver> {
  const received: ReceivedLogout[] = [];
  const server: Receiver = await startReceiver((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString();
      const token = new URLSearchParams(body).get('logout_token') ?? '';
      const claims = claimsOf(token);
      const { url: path = '', method = '', headers } = request;
      const contentType = headers['content-type'] ?? '';
      const logout = { path, method, contentType, body, token, claims, sid: String(claims['sid']) };
      received.push(logout);
      receiver.answer(response, logout);
    });
  }, options);
  const receiver: LogoutReceiver = {
    url: `http://${options.address ?? '127.0.0.1'}:${server.port}`,
    received,
    at: (path) => received.filter((logout) => logout.path === path),
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

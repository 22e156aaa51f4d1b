import { Agent, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { API } from '../rows/row.ts';

export interface Answer {
  readonly status: number;
  readonly body: unknown;
  /** From the first byte sent to the last one received. */
  readonly milliseconds: number;
}

interface Question {
  /** Overrides the client's own. */
  readonly tenantId?: string;
  readonly token?: string;
  readonly body?: object;
}

/** Sends one request at a time on one connection, and measures the time. */
export interface Client {
  /** @param path below the API's base path, or an absolute path that starts with /. */
  send(method: string, path: string, question?: Question): Promise<Answer>;
  close(): void;
}

export function openClient(port: number, tenantId: string): Client {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  return {
    async send(method, path, { tenantId: requestTenantId = tenantId, token, body } = {}) {
      const payload = body === undefined ? undefined : JSON.stringify(body);
      const headers = {
        'x-tenant-id': requestTenantId,
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(payload === undefined ? {} : { 'content-type': 'application/json' }),
      };
      const full = path.startsWith('/.') ? path : `${API}${path}`;
      const options = { host: '127.0.0.1', port, method, path: full, headers, agent };
      const start = performance.now();
      return new Promise((resolve, reject) => {
        const outgoing = request(options, (response) => {
          text(response).then(
            (answer) =>
              resolve({
                status: response.statusCode ?? 0,
                body: JSON.parse(answer),
                milliseconds: performance.now() - start,
              }),
            reject,
          );
        });
        outgoing.on('error', reject);
        outgoing.end(payload);
      });
    },
    close: () => agent.destroy(),
  };
}

/** @throws if the response has another status */
export function expectStatus(answer: Answer, status: number): Answer {
  if (answer.status === status) return answer;
  throw new Error(`expected ${status}, got ${answer.status}: ${JSON.stringify(answer.body)}`);
}

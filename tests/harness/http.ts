import { Agent, type IncomingMessage, request as send } from 'node:http';

type HeaderValue = string | string[];

export interface RequestOptions {
  readonly token?: string;
  /** X-Tenant-ID; a list sends the header several times. */
  readonly tenant?: HeaderValue;
  readonly host?: HeaderValue;
  readonly headers?: Readonly<Record<string, HeaderValue>>;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Sent as it is, instead of `body`. */
  readonly rawBody?: string | Buffer;
  /** Default: application/json if there is a body. null omits the header. */
  readonly contentType?: string | null;
}

export interface Answer<Body> {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  /** Parsed if the response is JSON. */
  readonly body: Body;
  readonly text: string;
}

/** The type of a response body with unknown content. */
export type JsonBody = Record<string, unknown>;

export interface HttpClient {
  /** The path is relative to /api/sso/v1, unless it belongs to a route outside it. */
  request<Body = JsonBody>(
    method: string,
    path: string,
    options?: RequestOptions,
  ): Promise<Answer<Body>>;
  close(): void;
}

const BASE = '/api/sso/v1';
const OUTSIDE_BASE =
  /^\/($|\?|(\.well-known|t|health|livez|status|access|openapi\.json|reference|api|oauth|brand|pictures|assets|account|console|dev)([/?]|$))/;

/** Uses node:http, so that Host and repeated headers are sent verbatim. */
export function httpClient(url: string): HttpClient {
  const { hostname, port } = new URL(url);
  const agent = new Agent({ keepAlive: true });
  return {
    request: (method, path, options = {}) =>
      new Promise((resolve, reject) => {
        const payload = payloadOf(options);
        const target = OUTSIDE_BASE.test(path) ? path : BASE + path;
        const headers = headersOf(options, payload);
        const outgoing = send({ agent, hostname, port, method, path: target, headers });
        outgoing.on('error', reject);
        outgoing.on('response', (incoming) => {
          readAnswer<never>(incoming).then(resolve, reject);
        });
        outgoing.end(payload);
      }),
    close: () => agent.destroy(),
  };
}

function payloadOf({ body, rawBody }: RequestOptions): string | Buffer | undefined {
  return rawBody ?? (body === undefined ? undefined : JSON.stringify(body));
}

function headersOf(options: RequestOptions, payload: string | Buffer | undefined) {
  const { token, tenant, host, contentType, headers } = options;
  const type =
    contentType === undefined && payload !== undefined ? 'application/json' : contentType;
  const all: Record<string, HeaderValue> = { ...headers };
  if (type !== undefined && type !== null) all['content-type'] = type;
  if (payload !== undefined) all['content-length'] = String(Buffer.byteLength(payload));
  if (token !== undefined) all['authorization'] = `Bearer ${token}`;
  if (tenant !== undefined) all['x-tenant-id'] = tenant;
  if (host !== undefined) all['host'] = host;
  return all;
}

async function readAnswer<Body>(incoming: IncomingMessage): Promise<Answer<Body>> {
  const text = isEndless(incoming) ? '' : await readAll(incoming);
  // A response to HEAD has a content type but no body.
  const isJson =
    text !== '' && /^application\/([a-z.-]+\+)?json\b/.test(incoming.headers['content-type'] ?? '');
  return {
    status: incoming.statusCode ?? 0,
    headers: incoming.headers,
    body: (isJson ? JSON.parse(text) : {}) as Body,
    text,
  };
}

/** An event stream resolves immediately: to read one, use `tests/harness/status.ts`. */
function isEndless(incoming: IncomingMessage): boolean {
  const isEvents = incoming.headers['content-type'] === 'text/event-stream';
  if (isEvents) incoming.destroy();
  return isEvents;
}

async function readAll(incoming: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

/** The body of a response that must have this status. */
export function expectStatus<Body>(status: number, answer: Answer<Body>): Body {
  if (answer.status !== status) {
    throw new Error(`expected ${status}, got ${answer.status}: ${answer.text}`);
  }
  return answer.body;
}

/** The requests of one connection, sent one at a time. */
export type Script =
  /** These requests, repeatedly. */
  | { readonly kind: 'cycle'; readonly requests: readonly string[] }
  /** Each of these requests once. */
  | { readonly kind: 'once'; readonly requests: readonly string[] }
  /** Refreshes each of these sessions, repeatedly. */
  | { readonly kind: 'refresh'; readonly sessions: readonly RefreshableSession[] }
  /** Requests the challenge of each flow, then sends the passkey. */
  | { readonly kind: 'passkey'; readonly logins: readonly PasskeyLogin[] }
  /** Requests a code for each login, then exchanges it for tokens; repeatedly. */
  | { readonly kind: 'code'; readonly logins: readonly CodeLogin[] }
  /** Each of these requests, repeatedly, with a new proof of the key. */
  | {
      readonly kind: 'proof';
      readonly requests: readonly BoundRequest[];
      readonly key: ProvingKey;
    };

/** A request with a token that is bound to a key. */
export interface BoundRequest {
  /** The request line and headers, without the header of the proof. */
  readonly head: string;
  readonly accessToken: string;
  readonly htm: string;
  readonly htu: string;
}

/** On Ed25519. */
export interface ProvingKey {
  /** PKCS #8, PEM. */
  readonly privateKey: string;
}

export interface CodeLogin {
  /** The request for a code. */
  readonly authorize: string;
  /** The request line and headers of the next request, without those about the body. */
  readonly head: string;
  /** The other form fields of the next request. */
  readonly form: string;
}

export interface PasskeyLogin {
  /** The request for the challenge. */
  readonly options: string;
  /** The request line and headers of the next request, without those about the body. */
  readonly head: string;
  /** The other body fields of the next request. */
  readonly fields: Readonly<Record<string, string>>;
  readonly passkey: SigningPasskey;
}

/** The data that an authenticator stores about a passkey on P-256. */
export interface SigningPasskey {
  readonly id: string;
  readonly userHandle: string;
  readonly rpId: string;
  /** PKCS #8, PEM. */
  readonly privateKey: string;
}

/** The requests of a connection. */
export interface RequestSource {
  /** Undefined after the last one. */
  next(): string | undefined;
  /** Receives the response to the last request. */
  learn(answer: string): void;
}

export interface RefreshableSession {
  /** The request line and headers, without those about the body. */
  readonly head: string;
  readonly token: string;
  /** The other fields of a form; absent: the token is sent as JSON. */
  readonly form?: string;
}

/** Any other response ends the measurement. */
export interface Expected {
  /** Several: any of them. */
  readonly status: number | readonly number[];
  readonly contains: string;
}

export interface Traffic {
  /** One for each connection. */
  readonly scripts: readonly Script[];
  readonly expected: Expected;
  /** The interval of requests on each connection. Absent: as soon as the last response arrives. */
  readonly everyMs?: number;
}

/** A request and the response to it, in Latin-1. */
export interface Exchange {
  readonly request: string;
  readonly response: string;
  readonly expected: Expected;
}

export interface LoadResult {
  readonly requests: number;
  readonly elapsedMs: number;
  /** Of each request. */
  readonly latenciesMs: Float64Array;
  /** CPU time of the load process. */
  readonly cpuMicros: number;
}

export type LoadCommand =
  | { readonly kind: 'connect'; readonly port: number; readonly traffic: Traffic }
  | { readonly kind: 'run'; readonly milliseconds: number };

export type LoadAnswer =
  | { readonly kind: 'connected' }
  | { readonly kind: 'ran'; readonly result: LoadResult }
  | { readonly kind: 'failed'; readonly problem: string };

/** A complete HTTP/1.1 request. */
export function httpRequest(
  method: string,
  path: string,
  headers: Readonly<Record<string, string>> = {},
  body?: object,
): string {
  const head = httpHead(method, path, headers);
  return body === undefined ? `${head}\r\n` : withJson(head, JSON.stringify(body));
}

/** A form as OAuth clients send it. */
export function formRequest(
  path: string,
  headers: Readonly<Record<string, string>>,
  fields: Readonly<Record<string, string>>,
): string {
  return withForm(httpHead('POST', path, headers), new URLSearchParams(fields).toString());
}

/** Adds a form in ASCII. */
export function withForm(head: string, form: string): string {
  const type = 'application/x-www-form-urlencoded';
  return `${head}content-type: ${type}\r\ncontent-length: ${form.length}\r\n\r\n${form}`;
}

/** The request line and headers, without those about the body. */
export function httpHead(
  method: string,
  path: string,
  headers: Readonly<Record<string, string>>,
): string {
  const lines = Object.entries({
    host: 'id.example.com',
    'user-agent': 'keywright-bench',
    ...headers,
  });
  return `${method} ${path} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}`;
}

/** Adds JSON in ASCII. */
export function withJson(head: string, json: string): string {
  return `${head}content-type: application/json\r\ncontent-length: ${json.length}\r\n\r\n${json}`;
}

/** Distributes the requests among the connections; each repeats its own. */
export function cycles(requests: readonly string[], connections: number): Script[] {
  return dealt(requests, connections).map((mine) => ({ kind: 'cycle', requests: mine }));
}

/** Distributes the items among lists, round-robin. */
export function dealt<Item>(items: readonly Item[], lists: number): Item[][] {
  const hands = Array.from({ length: lists }, (): Item[] => []);
  for (const [index, item] of items.entries()) hands[index % lists]?.push(item);
  return hands;
}

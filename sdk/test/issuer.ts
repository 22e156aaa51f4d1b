import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';
import { Signer, signJws } from './signer.ts';
import { StatusService } from './status-service.ts';

type Handle = (request: IncomingMessage, response: ServerResponse) => void;

const KEY_SET = '/.well-known/jwks.json';

/** A test issuer that speaks Keywright's protocol over real HTTP, with its own keys. */
export class TestIssuer {
  /** The keys in its key set; the last key signs. */
  readonly keys: Signer[] = [new Signer()];
  readonly status = new StatusService(this);
  /** The requested paths, in order. */
  readonly requestedPaths: string[] = [];
  /** Handlers that replace the default responses, by path. */
  readonly instead = new Map<string, Handle>();
  /** `Cache-Control` of the key set. */
  cacheControl = 'public, max-age=300';
  #server: Server | undefined;
  #port = 0;

  /** Starts an issuer that stops at the end of the test. */
  static async start(t: TestContext): Promise<TestIssuer> {
    const issuer = new TestIssuer();
    await issuer.goUp();
    t.after(() => issuer.goDown());
    return issuer;
  }

  get name(): string {
    return `http://127.0.0.1:${this.#port}/t/org_test`;
  }

  get signer(): Signer {
    const signer = this.keys.at(-1);
    if (signer === undefined) throw new Error('The issuer has no key.');
    return signer;
  }

  /** Returns how often a path was requested. */
  count(path: string): number {
    return this.requestedPaths.filter((requestedPath) => requestedPath === path).length;
  }

  get keySetRequests(): number {
    return this.count(KEY_SET);
  }

  /** Starts listening, on the previous port if there was one. */
  async goUp(): Promise<void> {
    const server = createServer((request, response) => this.#answer(request, response));
    await new Promise<void>((resolve) => server.listen(this.#port, '127.0.0.1', resolve));
    this.#port = (server.address() as AddressInfo).port;
    this.#server = server;
  }

  /** Cuts open connections and refuses new ones. */
  async goDown(): Promise<void> {
    const server = this.#server;
    this.#server = undefined;
    if (server === undefined) return;
    const closed = new Promise((resolve) => server.close(resolve));
    server.closeAllConnections();
    await closed;
  }

  /** The claims of a token issued now. */
  claims(overrides: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
    const iat = Math.floor(Date.now() / 1000);
    return {
      jti: `jti-${Math.random()}`,
      token_type: 'access',
      iss: this.name,
      sub: 'user:01m7yb5394fess3wv57mn6nb7q',
      aud: this.name,
      iat,
      exp: iat + 3600,
      tenant_id: 'org_test',
      workspace_id: 'ws_default',
      roles: ['member'],
      scopes: ['read:reports'],
      scope: 'read:reports',
      client_id: 'keywright',
      ver: 0,
      ...overrides,
    };
  }

  /** Issues an access token, valid unless the overrides make it invalid. */
  mint(overrides: Readonly<Record<string, unknown>> = {}, signer = this.signer): string {
    return signJws(signer, { typ: 'at+jwt' }, this.claims(overrides));
  }

  #answer(request: IncomingMessage, response: ServerResponse): void {
    const path = (request.url ?? '').replace(/^\/t\/org_test/, '');
    this.requestedPaths.push(path);
    const instead = this.instead.get(path);
    if (instead) return instead(request, response);
    if (path === KEY_SET) return this.#answerKeySet(request, response);
    if (this.status.answer(path, request, response)) return;
    answerError(response, 404, 'NOT_FOUND');
  }

  #answerKeySet(request: IncomingMessage, response: ServerResponse): void {
    const body = JSON.stringify({ keys: this.keys.map(({ jwk }) => jwk) });
    const etag = `"${createHash('sha256').update(body).digest('base64url')}"`;
    const headers = { etag, 'cache-control': this.cacheControl };
    if (request.headers['if-none-match'] === etag) response.writeHead(304, headers).end();
    else response.writeHead(200, { ...headers, 'content-type': 'application/json' }).end(body);
  }
}

/** Responds with an error in the format of the service. */
export function answerError(response: ServerResponse, status: number, code: string): void {
  const body = { error: 'Error', detail: 'A detail.', code };
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

/** Returns a handler for `instead` that responds with any status and body. */
export function answering(status: number, body: string | Buffer): Handle {
  return (_request, response) => {
    response.writeHead(status, { 'content-type': 'application/json' }).end(body);
  };
}

import { createHash, createSign, generateKeyPairSync, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Of a public client: without a secret. */
export const CLIENT_ID = 'demo';

/** The people who can sign in. */
export const PEOPLE = [
  { sub: '1', name: 'Ada Lovelace', email: 'ada@demo.example', email_verified: true },
  { sub: '2', name: 'Alan Turing', email: 'alan@demo.example', email_verified: true },
  { sub: '3', name: 'Grace Hopper', email: 'grace@demo.example', email_verified: false },
] as const;

const LIFETIME_SECONDS = 300;
const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);
const MAX_BYTES = 16_384;

interface Grant {
  readonly person: (typeof PEOPLE)[number];
  readonly nonce: string | null;
  readonly challenge: string | null;
  readonly redirectUri: string;
}

interface Reply {
  readonly status?: number;
  readonly location?: string;
  readonly html?: string;
  readonly json?: object;
}

/**
 * An OpenID Connect provider for developers, where no password is needed. It listens on this machine only, redirects only
 * to it, and is not a part of the service: only `npm run dev` starts it.
 */
class DemoProvider {
  readonly issuer: string;
  readonly #grants = new Map<string, Grant>();
  readonly #keys = generateKeyPairSync('rsa', { modulusLength: 2048 });

  constructor(issuer: string) {
    this.issuer = issuer;
  }

  async respond(request: IncomingMessage): Promise<Reply> {
    const { pathname, searchParams } = new URL(request.url ?? '/', this.issuer);
    switch (`${request.method} ${pathname}`) {
      case 'GET /.well-known/openid-configuration':
        return { json: this.#metadata() };
      case 'GET /keys':
        return { json: { keys: [this.#publicKey()] } };
      case 'GET /authorize':
        return this.#choose(searchParams);
      case 'POST /token':
        return this.#exchange(await bodyOf(request));
      default:
        return { status: 404, html: 'Not found' };
    }
  }

  #metadata() {
    return {
      issuer: this.issuer,
      authorization_endpoint: `${this.issuer}/authorize`,
      token_endpoint: `${this.issuer}/token`,
      jwks_uri: `${this.issuer}/keys`,
      response_types_supported: ['code'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['RS256'],
    };
  }

  #publicKey() {
    return {
      ...this.#keys.publicKey.export({ format: 'jwk' }),
      kid: 'demo',
      alg: 'RS256',
      use: 'sig',
    };
  }

  /** Shows the people. Each is a link to this page with `sub`, which returns to the service. */
  #choose(query: URLSearchParams): Reply {
    const redirectUri = query.get('redirect_uri') ?? '';
    const isOurs = URL.canParse(redirectUri) && LOOPBACK.has(new URL(redirectUri).hostname);
    if (query.get('client_id') !== CLIENT_ID || !isOurs) {
      return {
        status: 400,
        html: 'The client ID is demo, and the redirect URI is on this machine.',
      };
    }
    const person = PEOPLE.find(({ sub }) => sub === query.get('sub'));
    if (!person) return { html: pageOf(query) };
    const code = randomBytes(16).toString('base64url');
    const [nonce, challenge] = [query.get('nonce'), query.get('code_challenge')];
    this.#grants.set(code, { person, nonce, challenge, redirectUri });
    const back = new URL(redirectUri);
    back.searchParams.set('code', code);
    back.searchParams.set('state', query.get('state') ?? '');
    return { status: 303, location: back.href };
  }

  #exchange(body: URLSearchParams): Reply {
    const code = body.get('code') ?? '';
    const grant = this.#grants.get(code);
    this.#grants.delete(code);
    const digest = createHash('sha256')
      .update(body.get('code_verifier') ?? '')
      .digest('base64url');
    const isProven = grant?.challenge === digest && body.get('client_id') === CLIENT_ID;
    const isGood = isProven && grant.redirectUri === body.get('redirect_uri');
    if (!isGood) return { status: 400, json: { error: 'invalid_grant' } };
    const iat = Math.floor(Date.now() / 1000);
    const times = { iat, exp: iat + LIFETIME_SECONDS };
    const nonce = grant.nonce === null ? {} : { nonce: grant.nonce };
    const claims = { iss: this.issuer, aud: CLIENT_ID, ...times, ...nonce, ...grant.person };
    const rest = { access_token: randomBytes(16).toString('base64url'), token_type: 'Bearer' };
    return { json: { ...rest, id_token: this.#sign(claims), expires_in: LIFETIME_SECONDS } };
  }

  #sign(claims: object): string {
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const input = `${part({ alg: 'RS256', kid: 'demo', typ: 'JWT' })}.${part(claims)}`;
    return `${input}.${createSign('sha256').update(input).sign(this.#keys.privateKey, 'base64url')}`;
  }
}

async function bodyOf(request: IncomingMessage): Promise<URLSearchParams> {
  let text = '';
  for await (const chunk of request.setEncoding('utf8')) {
    text += String(chunk);
    if (text.length > MAX_BYTES) break;
  }
  return new URLSearchParams(text);
}

function pageOf(query: URLSearchParams): string {
  const links = PEOPLE.map(({ sub, name, email }) => {
    const next = new URLSearchParams(query);
    next.set('sub', sub);
    const href = `/authorize?${next.toString()}`.replaceAll('&', '&amp;').replaceAll('"', '&quot;');
    return `<li><a href="${href}">${name}</a> ${email}</li>`;
  });
  return `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Demo provider</title><h1>Demo provider</h1><p>Sign in as:</p><ul>${links.join('')}</ul>
<p>For developers only: no password is needed.</p></html>`;
}

function send(response: ServerResponse, { status = 200, location, html, json }: Reply): void {
  const type = json ? 'application/json' : 'text/html; charset=utf-8';
  const headers = {
    'content-type': type,
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
  };
  response.writeHead(status, { ...headers, ...(location !== undefined && { location }) });
  response.end(json ? JSON.stringify(json) : html);
}

/** @param port 0: any */
export async function startDemoProvider(port: number) {
  const server = createServer((request, response) => {
    provider.respond(request).then(
      (reply) => send(response, reply),
      () => send(response, { status: 500, html: 'It failed.' }),
    );
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const provider = new DemoProvider(`http://localhost:${(server.address() as AddressInfo).port}`);
  return { provider, close: () => server.close() };
}

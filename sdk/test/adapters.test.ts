import assert from 'node:assert/strict';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, test, type TestContext } from 'node:test';
import express from 'express';
import { fastify } from 'fastify';
import { Hono } from 'hono';
import Koa from 'koa';
import * as forExpress from '../src/adapters/express.ts';
import * as forFastify from '../src/adapters/fastify.ts';
import { protect } from '../src/adapters/fetch.ts';
import * as forHono from '../src/adapters/hono.ts';
import * as forKoa from '../src/adapters/koa.ts';
import * as forNext from '../src/adapters/next.ts';
import { type Requirement, requireScope } from '../src/verifier/requirements.ts';
import { createVerifier, type Verifier } from '../src/verifier/verifier.ts';
import type { TokenStatus } from '../src/generated/records.ts';
import { TestIssuer } from './issuer.ts';
import { assertRefused } from './refused.ts';

const STRONG = { acr: 'aal2', maxAge: 60 } as const;

type Send = (path: string, init?: RequestInit) => Promise<Response>;

/**
 * Builds `/reports` (read:reports), `/agents` (agents only), `/payments` (strong logins), `/late` (late scope check).
 */
type Build = (t: TestContext, verifier: Verifier) => Promise<Send>;

async function listen(t: TestContext, listener: RequestListener): Promise<Send> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => server.close());
  const { port } = server.address() as AddressInfo;
  return (path, init) => fetch(`http://127.0.0.1:${port}${path}`, init);
}

const APPLICATIONS: Readonly<Record<string, Build>> = {
  Express: (t, verifier) => {
    const { requireToken, claimsOf, answerRefusals } = forExpress;
    const app = express();
    app.get('/reports', requireToken(verifier, { scopes: 'read:reports' }), (request, response) => {
      response.json({ sub: claimsOf(request).sub });
    });
    app.get('/agents', requireToken(verifier, { agent: true }), (request, response) => {
      response.json({ sub: claimsOf(request).sub });
    });
    app.get('/payments', requireToken(verifier, STRONG), (request, response) => {
      response.json({ sub: claimsOf(request).sub });
    });
    app.get('/late', requireToken(verifier), (request) => {
      requireScope(claimsOf(request), 'write:reports', 'delete:reports');
    });
    app.use(answerRefusals());
    return listen(t, app);
  },
  Connect: (t, verifier) => {
    const { requireToken, claimsOf, answerRefusals } = forExpress;
    return listen(t, (request, response) => {
      const requirements = {
        '/reports': { scopes: ['read:reports'] },
        '/agents': { agent: true },
        '/payments': STRONG,
      };
      const requirement = requirements[request.url as '/reports'] ?? {};
      void requireToken(verifier, requirement)(request, response, () => {
        try {
          if (request.url === '/late')
            requireScope(claimsOf(request), 'write:reports', 'delete:reports');
          response.end(JSON.stringify({ sub: claimsOf(request).sub }));
        } catch (error) {
          answerRefusals()(error, request, response, assert.ifError);
        }
      });
    });
  },
  Fastify: async (t, verifier) => {
    const { requireToken, claimsOf, keywright, sendRefusal } = forFastify;
    const app = fastify();
    app.setErrorHandler((error, _request, reply) => sendRefusal(reply, error as never));
    const onRequest = requireToken(verifier, { scopes: ['read:reports'] });
    app.get('/reports', { onRequest }, (request) => ({ sub: claimsOf(request).sub }));
    await app.register(async (scope) => {
      await scope.register(keywright, { verifier, agent: true });
      scope.get('/agents', (request) => ({ sub: claimsOf(request).sub }));
    });
    await app.register(async (scope) => {
      await scope.register(keywright, { verifier });
      scope.get('/late', (request) => {
        requireScope(claimsOf(request), 'write:reports', 'delete:reports');
      });
    });
    const strong = { onRequest: requireToken(verifier, STRONG) };
    app.get('/payments', strong, (request) => ({ sub: claimsOf(request).sub }));
    app.get('/open', () => 'for everyone');
    const url = await app.listen({ port: 0, host: '127.0.0.1' });
    t.after(() => app.close());
    assert.equal((await fetch(`${url}/open`)).status, 200);
    return (path, init) => fetch(`${url}${path}`, init);
  },
  Hono: async (_t, verifier) => {
    const { requireToken, refusalResponse } = forHono;
    const app = new Hono();
    app.get('/reports', requireToken(verifier, { scopes: 'read:reports' }), (c) =>
      c.json({ sub: c.get('auth').sub }),
    );
    app.get('/agents', requireToken(verifier, { agent: true }), (c) =>
      c.json({ sub: c.get('auth').sub }),
    );
    app.get('/payments', requireToken(verifier, STRONG), (c) => c.json({ sub: c.get('auth').sub }));
    app.get('/late', requireToken(verifier), (c) => {
      requireScope(c.get('auth'), 'write:reports', 'delete:reports');
      return c.body(null);
    });
    app.onError((error) => refusalResponse(error as never));
    return async (path, init) => app.request(path, init);
  },
  Koa: (t, verifier) => {
    const { requireToken, claimsOf, answerRefusals } = forKoa;
    const requirements = {
      '/reports': { scopes: ['read:reports'] },
      '/agents': { agent: true },
      '/payments': STRONG,
    };
    const protections = Object.entries(requirements).map(
      ([path, requirement]) => [path, requireToken(verifier, requirement)] as const,
    );
    const protectionOf = new Map(protections);
    const app = new Koa();
    app.use(answerRefusals());
    app.use((ctx, next) => (protectionOf.get(ctx.path) ?? requireToken(verifier))(ctx, next));
    app.use((ctx) => {
      if (ctx.path === '/late') requireScope(claimsOf(ctx), 'write:reports', 'delete:reports');
      ctx.body = { sub: claimsOf(ctx).sub };
    });
    const handle = app.callback();
    return listen(t, (request, response) => void handle(request, response));
  },
  'Next.js, route handlers': async (_t, verifier) => {
    /** The request that Next.js passes to a handler, with a promise of the path parameters. */
    interface NextRequest extends Request {
      readonly nextUrl: URL;
    }
    interface Context {
      readonly params: Promise<{ readonly id: string }>;
    }
    const handler = (requirement: Requirement) =>
      forNext.protect(
        verifier,
        requirement,
        async (request: NextRequest, claims, context: Context) => {
          assert.equal((await context.params).id, 'one');
          if (request.nextUrl.pathname === '/late')
            requireScope(claims, 'write:reports', 'delete:reports');
          return Response.json({ sub: claims.sub });
        },
      );
    const routes = new Map([
      ['/reports', handler({ scopes: 'read:reports' })],
      ['/agents', handler({ agent: true })],
      ['/payments', handler(STRONG)],
      ['/late', handler({})],
    ]);
    return async (path, init) => {
      const url = new URL(path, 'http://localhost');
      const request = Object.assign(new Request(url, init), { nextUrl: url });
      const context = { params: Promise.resolve({ id: 'one' }) };
      return (routes.get(path) ?? assert.fail(path))(request, context);
    };
  },
  'the Fetch API': async (_t, verifier) => {
    const routes: Readonly<Record<string, (request: Request) => Promise<Response>>> = {
      '/reports': protect(verifier, { scopes: 'read:reports' }, (_request, { sub }) =>
        Response.json({ sub }),
      ),
      '/agents': protect(verifier, { agent: true }, (_request, { sub }) => Response.json({ sub })),
      '/payments': protect(verifier, STRONG, (_request, { sub }) => Response.json({ sub })),
      '/late': protect(verifier, {}, (_request, claims) => {
        requireScope(claims, 'write:reports', 'delete:reports');
        return new Response();
      }),
    };
    return async (path, init) => {
      const handle = routes[path] ?? assert.fail(path);
      return handle(new Request(`http://localhost${path}`, init));
    };
  },
};

interface Expected {
  readonly status: number;
  readonly error: string;
  readonly code: string;
  readonly challenge: string | null;
  readonly detail: string;
}

async function assertAnswer(response: Response, { status, challenge, ...body }: Expected) {
  assert.equal(response.status, status);
  assert.deepEqual(await response.json(), body);
  assert.equal(response.headers.get('content-type'), 'application/json; charset=utf-8');
  assert.equal(response.headers.get('www-authenticate'), challenge);
}

const UNAUTHORIZED = {
  status: 401,
  error: 'Unauthorized',
  code: 'TOKEN_INVALID',
  detail: 'The token is missing, malformed, expired or revoked.',
};
const FORBIDDEN = { status: 403, error: 'Forbidden' };

for (const [name, build] of Object.entries(APPLICATIONS)) {
  describe(`with ${name}`, () => {
    async function start(t: TestContext) {
      const issuer = await TestIssuer.start(t);
      const verifier = createVerifier({ issuer: issuer.name });
      t.after(() => verifier.close());
      const send = await build(t, verifier);
      const get = (path: string, token?: string) =>
        send(path, token === undefined ? {} : { headers: { authorization: `Bearer ${token}` } });
      return { issuer, get };
    }

    test('A valid token is accepted, and the handler gets its claims', async (t) => {
      const { issuer, get } = await start(t);
      const response = await get('/reports', issuer.mint());
      assert.equal(response.status, 200);
      assert.deepEqual(await response.json(), { sub: 'user:01m7yb5394fess3wv57mn6nb7q' });
    });

    test('A request without a token gets a challenge, and an invalid token is rejected (SPEC errors 1)', async (t) => {
      const { issuer, get } = await start(t);
      await assertAnswer(await get('/reports'), { ...UNAUTHORIZED, challenge: 'Bearer' });
      const refused = { ...UNAUTHORIZED, challenge: 'Bearer error="invalid_token"' };
      for (const token of ['x', `${issuer.mint()}x`, issuer.mint({ exp: 1 })]) {
        await assertAnswer(await get('/reports', token), refused);
      }
    });

    test('A token without the required scope gets 403, and the response names the scope', async (t) => {
      const { issuer, get } = await start(t);
      const token = issuer.mint({ scopes: ['write:reports', 'read:invoices'] });
      await assertAnswer(await get('/reports', token), {
        ...FORBIDDEN,
        code: 'SCOPE_REQUIRED',
        detail: 'The token lacks read:reports.',
        challenge: 'Bearer error="insufficient_scope", scope="read:reports"',
      });
      const wide = issuer.mint({ scopes: ['*:reports'] });
      assert.equal((await get('/reports', wide)).status, 200);
    });

    test('A login that is too old or too weak gets 401, and the challenge says what is missing', async (t) => {
      const { issuer, get } = await start(t);
      const now = Math.floor(Date.now() / 1000);
      const strong = { acr: 'aal2', auth_time: now - 30 };
      const refused = {
        ...UNAUTHORIZED,
        code: 'STEP_UP_REQUIRED',
        detail: 'This requires a more recent or stronger login. See WWW-Authenticate.',
        challenge: 'Bearer error="insufficient_user_authentication", acr_values="aal2", max_age=60',
      };
      for (const weak of [{ acr: 'aal1' }, { auth_time: now - 90 }, { auth_time: undefined }]) {
        await assertAnswer(await get('/payments', issuer.mint({ ...strong, ...weak })), refused);
      }
      assert.equal((await get('/payments', issuer.mint(strong))).status, 200);
    });

    test('A missing scope that the handler requires also gets 403, and all missing scopes are named', async (t) => {
      const { issuer, get } = await start(t);
      await assertAnswer(await get('/late', issuer.mint()), {
        ...FORBIDDEN,
        code: 'SCOPE_REQUIRED',
        detail: 'The token lacks write:reports, delete:reports.',
        challenge: 'Bearer error="insufficient_scope", scope="write:reports delete:reports"',
      });
    });

    test('A route that allows only agents accepts no other callers', async (t) => {
      const { issuer, get } = await start(t);
      await assertAnswer(await get('/agents', issuer.mint()), {
        ...FORBIDDEN,
        code: 'AGENT_REQUIRED',
        detail: 'Only agents may do this.',
        challenge: 'Bearer error="insufficient_scope"',
      });
      const agent = issuer.mint({ sub: 'service:01m7yb5394fess3wv57mn6nb7q' });
      assert.equal((await get('/agents', agent)).status, 200);
    });

    test('An unavailable verifier answers 503 with Retry-After', async (t) => {
      const { issuer, get } = await start(t);
      const token = issuer.mint();
      await issuer.goDown();
      const response = await get('/reports', token);
      assert.equal(response.headers.get('retry-after'), '5');
      await assertAnswer(response, {
        status: 503,
        error: 'Service Unavailable',
        code: 'UNAVAILABLE',
        detail: 'Temporarily unavailable. Retry after the number of seconds in Retry-After.',
        challenge: null,
      });
    });
  });
}

test('The proxy of Next.js answers rejected requests, and passes on the others', async (t) => {
  const issuer = await TestIssuer.start(t);
  const verifier = createVerifier({ issuer: issuer.name });
  t.after(() => verifier.close());
  const proxy = forNext.requireToken(verifier, { scopes: 'read:reports' });
  const requestWith = (token: string) =>
    new Request('http://localhost/', { headers: { authorization: `Bearer ${token}` } });
  assert.equal(await proxy(requestWith(issuer.mint())), undefined);
  assert.equal((await proxy(requestWith('x')))?.status, 401);
  assert.equal((await proxy(requestWith(issuer.mint({ scopes: [] }))))?.status, 403);
});

describe('an API key, where API keys are accepted,', () => {
  const KEY = `svc_sk_${'a'.repeat(44)}`;

  async function start(t: TestContext, readStatus: () => Promise<Partial<TokenStatus>>) {
    const issuer = await TestIssuer.start(t);
    const verifier = createVerifier({ issuer: issuer.name });
    t.after(() => verifier.close());
    const verified: string[] = [];
    const apiKeys = {
      auth: {
        verifyToken: async ({ token }: { readonly token: string }) => {
          verified.push(token);
          return { active: true, ...(await readStatus()) };
        },
      },
    };
    const request = new Request('http://localhost/', {
      headers: { authorization: `Bearer ${KEY}` },
    });
    return { issuer, verifier, apiKeys, verified, request };
  }

  const claims = (issuer: TestIssuer) => ({
    iss: issuer.name,
    sub: 'service:01m7yb5394fess3wv57mn6nb7q',
    tenant_id: 'org_test',
    scopes: ['read:reports'],
    key_id: 'key_1',
  });

  test('An API key is checked with the service each time, so a revoked one is rejected immediately', async (t) => {
    let answer: Partial<TokenStatus> = {};
    const { issuer, verifier, apiKeys, verified, request } = await start(t, async () => answer);
    answer = claims(issuer);
    for (let turn = 0; turn < 3; turn += 1) {
      const found = await verifier.authenticateRequest(request, {
        apiKeys,
        scopes: 'read:reports',
      });
      assert.equal(found.sub, answer.sub);
    }
    assert.deepEqual(verified, [KEY, KEY, KEY]);
    answer = { active: false };
    const refused = verifier.authenticateRequest(request, { apiKeys });
    assert.equal((await assertRefused(refused, 'api_key_inactive')).httpStatus, 401);
  });

  test('An API key needs the scopes, and the tenant and issuer of the verifier', async (t) => {
    let answer: Partial<TokenStatus> = {};
    const { issuer, verifier, apiKeys, request } = await start(t, async () => answer);
    answer = claims(issuer);
    const authenticate = (more = {}) => verifier.authenticateRequest(request, { apiKeys, ...more });
    await assertRefused(authenticate({ scopes: 'write:reports' }), 'scope');
    await authenticate({ agent: true });
    answer = { ...claims(issuer), tenant_id: 'org_other' };
    await assertRefused(authenticate(), 'tenant');
    answer = { ...claims(issuer), iss: 'https://evil.example.com' };
    await assertRefused(authenticate(), 'issuer');
    answer = {};
    await assertRefused(authenticate(), 'tenant');
  });

  test('An API key is answered with 503 while the service is unreachable', async (t) => {
    const { verifier, apiKeys, request } = await start(t, () => Promise.reject(new Error('down')));
    const refused = verifier.authenticateRequest(request, { apiKeys });
    assert.equal((await assertRefused(refused, 'api_keys_unavailable')).httpStatus, 503);
  });

  test('An API key is rejected without a call where it is not accepted, and access tokens are verified offline', async (t) => {
    const { issuer, verifier, apiKeys, verified, request } = await start(t, async () => ({}));
    await assertRefused(verifier.authenticateRequest(request), 'api_key');
    await verifier.authenticate(`Bearer ${issuer.mint()}`, { apiKeys });
    assert.deepEqual(verified, []);
  });
});

test('A handler that reads the claims of an unprotected request gets an error', () => {
  assert.throws(() => forKoa.claimsOf({ state: {} }), /requireToken must run first/);
  assert.throws(() => forExpress.claimsOf({ headers: {} }), /requireToken must run first/);
});

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
import * as forFetch from '../src/adapters/fetch.ts';
import * as forHono from '../src/adapters/hono.ts';
import * as forKoa from '../src/adapters/koa.ts';
import * as forNext from '../src/adapters/next.ts';
import {
  createProtectedResource,
  type ProtectedResource,
} from '../src/resource/protected-resource.ts';
import { TestIssuer } from './issuer.ts';

const MCP = 'https://mcp.example.com/mcp';
const METADATA = '/.well-known/oauth-protected-resource/mcp';
const READ = { scopes: 'mcp:read' };
const WRITE = { scopes: 'mcp:write' };

type Send = (path: string, init?: RequestInit) => Promise<Response>;

/** Builds the metadata and `/mcp`, which requires `mcp:read` first and `mcp:write` later. */
type Build = (t: TestContext, resource: ProtectedResource) => Promise<Send>;

async function listen(t: TestContext, listener: RequestListener): Promise<Send> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => server.close());
  const { port } = server.address() as AddressInfo;
  return (path, init) => fetch(`http://127.0.0.1:${port}${path}`, init);
}

const APPLICATIONS: Readonly<Record<string, Build>> = {
  Express: (t, resource) => {
    const { serveMetadata, requireToken, claimsOf, answerRefusals } = forExpress;
    const app = express();
    app.use(serveMetadata(resource));
    app.post('/mcp', requireToken(resource, READ), (request, response) => {
      resource.require(claimsOf(request), WRITE);
      response.end();
    });
    app.use(answerRefusals());
    return listen(t, app);
  },
  Fastify: async (t, resource) => {
    const { serveMetadata, requireToken, claimsOf, sendRefusal } = forFastify;
    const app = fastify();
    app.setErrorHandler((error, _request, reply) => sendRefusal(reply, error as never));
    await app.register(serveMetadata, { resource });
    const onRequest = requireToken(resource, READ);
    app.post('/mcp', { onRequest }, (request) => {
      resource.require(claimsOf(request), WRITE);
      return '';
    });
    const url = await app.listen({ port: 0, host: '127.0.0.1' });
    t.after(() => app.close());
    return (path, init) => fetch(`${url}${path}`, init);
  },
  Hono: async (_t, resource) => {
    const { serveMetadata, requireToken, refusalResponse } = forHono;
    const app = new Hono();
    app.use(serveMetadata(resource));
    app.post('/mcp', requireToken(resource, READ), (c) => {
      resource.require(c.get('auth'), WRITE);
      return c.body(null);
    });
    app.onError((error) => refusalResponse(error as never));
    return async (path, init) => app.request(path, init);
  },
  Koa: (t, resource) => {
    const { serveMetadata, requireToken, claimsOf, answerRefusals } = forKoa;
    const app = new Koa();
    app.use(answerRefusals());
    app.use(serveMetadata(resource));
    app.use(async (ctx, next) => {
      if (ctx.path !== '/mcp') return;
      await requireToken(resource, READ)(ctx, next);
    });
    app.use((ctx) => {
      if (ctx.path !== '/mcp') return;
      resource.require(claimsOf(ctx), WRITE);
      ctx.body = '';
      ctx.status = 200;
    });
    const handle = app.callback();
    return listen(t, (request, response) => void handle(request, response));
  },
  'Next.js': async (_t, resource) => {
    const { GET, OPTIONS } = forNext.metadataRoute(resource);
    const POST = forNext.protect(resource, READ, (_request, claims) => {
      resource.require(claims, WRITE);
      return new Response();
    });
    return async (path, init) => {
      const request = new Request(new URL(path, 'http://localhost'), init);
      if (path === '/mcp') return POST(request);
      return (request.method === 'OPTIONS' ? OPTIONS : GET)(request);
    };
  },
  'the Fetch API': async (_t, resource) => {
    const post = forFetch.protect(resource, READ, (_request, claims) => {
      resource.require(claims, WRITE);
      return new Response();
    });
    return async (path, init) => {
      const request = new Request(new URL(path, 'http://localhost'), init);
      const metadata = forFetch.metadataResponse(resource, request);
      if (metadata) return metadata;
      return path === '/mcp' ? post(request) : new Response(null, { status: 404 });
    };
  },
};

for (const [name, build] of Object.entries(APPLICATIONS)) {
  describe(`a protected resource with ${name}`, () => {
    async function start(t: TestContext) {
      const issuer = await TestIssuer.start(t);
      const scopes = ['mcp:read', 'mcp:write'];
      const resource = createProtectedResource({ resource: MCP, issuer: issuer.name, scopes });
      t.after(() => resource.close());
      const send = await build(t, resource);
      return { issuer, resource, send };
    }

    test('A protected resource responds with its metadata, to scripts of every origin', async (t) => {
      const { resource, send } = await start(t);
      for (const path of [METADATA, `${METADATA}?x=/mcp`]) {
        const response = await send(path);
        assert.equal(response.status, 200);
        assert.deepEqual(await response.json(), resource.metadata);
        assert.match(response.headers.get('content-type') ?? '', /^application\/json/);
        assert.equal(response.headers.get('access-control-allow-origin'), '*');
        assert.equal(response.headers.get('cache-control'), 'public, max-age=3600');
      }
      const preflight = await send(METADATA, { method: 'OPTIONS' });
      assert.equal(preflight.status, 204);
      assert.equal(preflight.headers.get('access-control-allow-headers'), '*');
      for (const path of ['/.well-known/oauth-protected-resource', `${METADATA}/x`]) {
        assert.equal((await send(path)).status, 404, path);
      }
    });

    test('A protected resource answers every rejection with the address of its metadata', async (t) => {
      const { issuer, send } = await start(t);
      const call = (claims?: object) =>
        send('/mcp', {
          method: 'POST',
          headers: claims
            ? { authorization: `Bearer ${issuer.mint({ aud: MCP, ...claims })}` }
            : {},
        });
      const at = `resource_metadata="https://mcp.example.com${METADATA}"`;
      for (const [claims, status, challenge] of [
        [undefined, 401, `Bearer scope="mcp:read", ${at}`],
        [{ aud: issuer.name }, 401, `Bearer error="invalid_token", scope="mcp:read", ${at}`],
        [{ scopes: [] }, 403, `Bearer error="insufficient_scope", scope="mcp:read", ${at}`],
        [
          { scopes: ['mcp:read'] },
          403,
          `Bearer error="insufficient_scope", scope="mcp:read mcp:write", ${at}`,
        ],
        [{ scopes: ['mcp:read', 'mcp:write'] }, 200, null],
      ] as const) {
        const response = await call(claims);
        assert.equal(response.status, status);
        assert.equal(response.headers.get('www-authenticate'), challenge);
      }
    });
  });
}

// Browsers on the pages of a service whose database is down, or that is shutting down.

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { TEXT_LOCALES } from '@keywright/contract/locale';
import { isPage, pathTo, type Route } from '@keywright/contract/route';
import { ROUTES } from '@keywright/contract/routes';
import { newIdentityProviderId } from '@keywright/server/platform/crypto/ids';
import { newIdentifier, newPassword } from '../harness/credentials.ts';
import { createDatabase, type TestDatabase } from '../harness/database.ts';
import type { Answer, JsonBody } from '../harness/http.ts';
import { type PostgresServer, startPostgres } from '../harness/postgres.ts';
import { type ServerProcess, startServerProcess } from '../harness/process.ts';
import { until } from '../harness/until.ts';
import { FIELDS } from '../isolation/page-fields.ts';
import { codeOnPage } from '../pages/cookie-jar.ts';
import { holdRequest, holdWhole } from '../shutdown/held-request.ts';

/** The pages of tenants. The others are for developers, and need no database. */
const PAGES = ROUTES.filter((route) => isPage(route) && route.access !== 'open');
const FORM = 'application/x-www-form-urlencoded';
const TITLES = {
  en: 'We’ll be right back',
  de: 'Wir sind gleich zurück',
  fr: 'Nous revenons tout de suite',
  es: 'Volvemos enseguida',
  ja: 'まもなく再開します',
  ar: 'سنعود بعد قليل',
};
const admin = { identifier: newIdentifier(), secret: newPassword() };

let server: PostgresServer;
let database: TestDatabase;
let service: ServerProcess;

async function start(): Promise<void> {
  server = await startPostgres();
  database = await createDatabase(server);
  service = await startServerProcess({
    env: {
      KEYWRIGHT_DATABASE_URL: database.url,
      KEYWRIGHT_MASTER_KEY: randomBytes(32).toString('base64'),
      KEYWRIGHT_ADMIN_IDENTIFIER: admin.identifier,
      KEYWRIGHT_ADMIN_SECRET: admin.secret,
    },
  });
}

/** The request that a browser sends for a page of this tenant. */
function requestFor(route: Route, tenantId: string, locale: string) {
  const provider = newIdentityProviderId(new Date());
  const path = pathTo(route, { tenant_id: tenantId, provider_id: provider });
  const fields = new URLSearchParams(FIELDS[route.id] ?? {}).toString();
  const isForm = route.method !== 'GET';
  return {
    target: route.query && !isForm ? `${path}?${fields}` : path,
    headers: {
      accept: 'text/html,application/xhtml+xml,*/*;q=0.8',
      'accept-language': locale,
      'sec-fetch-site': 'same-origin',
      ...(isForm && { 'content-type': FORM }),
      ...(!route.path.includes(':tenant_id') && { 'x-tenant-id': tenantId }),
    },
    fields: isForm ? fields : '',
  };
}

function send(route: Route, tenantId: string, locale: string): Promise<Answer<JsonBody>> {
  const { target, headers, fields } = requestFor(route, tenantId, locale);
  const body = route.method === 'GET' ? {} : { rawBody: fields, contentType: FORM };
  return service.http.request(route.method, target, { headers, ...body });
}

/** Sends the same request, and holds back its last character. */
function hold(route: Route, tenantId: string, locale: string): ReturnType<typeof holdWhole> {
  const { target, headers, fields } = requestFor(route, tenantId, locale);
  const all = { host: new URL(service.url).host, ...headers, 'content-length': fields.length };
  const head = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  const first = `${route.method} ${target} HTTP/1.1\r\n`;
  return holdWhole(service.url, `${first}${head.join('')}\r\n${fields}`);
}

type Page = Pick<Answer<JsonBody>, 'headers' | 'text'>;

function assertPage({ headers, text }: Page, locale: string, what: string): void {
  assert.equal(headers['content-type'], 'text/html; charset=utf-8', `${what}: ${text}`);
  assert.match(text, new RegExp(`^<!doctype html>\\s*<html lang="${locale}"`), what);
  assert.match(String(headers['content-security-policy']), /^default-src 'none'/, what);
  assert.equal(headers['cache-control'], 'no-store', what);
}

describe('a page of a service whose database is gone', () => {
  before(async () => {
    await start();
    // Only the default tenant is cached.
    await send(PAGES[0] as Route, 'org_default', 'en');
    await server.kill9();
  });
  after(async () => {
    await service.kill9();
    await server.close();
  });

  for (const [index, route] of PAGES.entries()) {
    const locale = TEXT_LOCALES[index % TEXT_LOCALES.length] ?? 'en';
    test(`${route.method} ${route.path} is one in the language of the browser`, async () => {
      const cold = await send(route, 'org_unheard', locale);
      assertPage(cold, locale, 'a tenant that is not cached');
      assert.deepEqual([cold.status, codeOnPage(cold)], [503, 'UNAVAILABLE']);
      assert.ok(cold.text.includes(`<title>${TITLES[locale]}</title>`), cold.text);
      assert.match(String(cold.headers['retry-after']), /^\d+$/);
      const warm = await send(route, 'org_default', locale);
      if (warm.status !== 303) assertPage(warm, locale, 'a tenant that is cached');
    });
  }
});

describe('a page of a service that is being stopped', () => {
  before(start);
  after(async () => {
    if (!service.hasExited) await service.kill9();
    await database.drop();
    await server.close();
  });

  test('A page of a service that is being stopped is served as before, and the browser is asked to reconnect elsewhere', async () => {
    const pendingRequest = await holdRequest(service.url, '/auth/login', admin);
    // Before the service drains: how many requests could connect during the notice period depends on the machine.
    const pages = await Promise.all(
      PAGES.map(async (route, index) => {
        const locale = TEXT_LOCALES[index % TEXT_LOCALES.length] ?? 'en';
        return { route, locale, request: await hold(route, 'org_default', locale) };
      }),
    );
    const ended = service.sigterm(15_000);
    await until('it drains', () => service.stdout.includes('"draining"'));
    for (const { route, locale, request } of pages) {
      const answer = await request.finish();
      const what = `${route.method} ${route.path}`;
      if (answer.status !== 303) assertPage(answer, locale, what);
      assert.notEqual(answer.status, 503, what);
      assert.equal(answer.headers['connection'], 'close', what);
    }
    await pendingRequest.finish();
    assert.deepEqual(await ended, { code: 0, signal: null });
  });
});

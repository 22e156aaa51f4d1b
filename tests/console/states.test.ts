// Every screen of the console while the API is silent, has nothing, fails, and refuses: one rule for each, without exceptions.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import { API_BASE, scopeOf } from '@keywright/contract/route';
import { ROUTES } from '@keywright/contract/routes';
import type { Browser, Page } from 'playwright-core';
import { launchBrowser } from '../conformance/browser.ts';
import { type Keywright, startKeywright } from '../harness/keywright.ts';
import { pooled } from '../harness/parallel.ts';
import { until } from '../harness/until.ts';
import { Findings } from '../pages/findings.ts';
import { SHIFTS } from '../pages/in-page.ts';
import { furnishTenants } from './furniture/tenants.ts';
import { shiftsOf } from './inspection.ts';
import { type InterceptedRequest, intercept } from './interception.ts';
import { enterConsole } from './operator.ts';
import { isStream, Traffic } from './traffic.ts';
import { furnishIn } from './world.ts';

/** Looked at in parallel. */
const TABS = 2;
/** The overview omits what the user is not allowed to see. */
const OVERVIEW = '/';
/** Requests of the frame around every screen, which is present in all states. */
const FRAME = /^\/(?:me(?:\/permissions)?|impersonations|tenants\/org_default)$/;
/** What the menu reads to count what needs attention. The overview reads the same. */
const ATTENTION =
  /\/(?:keys\?limit=25|webhooks\?limit=100|messages\?(?=.*limit=1\b)(?=.*status=failed).*)$/;
const isOfMenu = (url: string, screen: string) => ATTENTION.test(url) && screen !== OVERVIEW;
/** Without the names of users, a list shows their IDs. */
const isNamesOfUsers = (url: string) => /\/(?:users|names)\?(?:.*&)?ids=/.test(url);
const REQUEST_ID = 'the-request-that-failed';

/** The addresses of all screens, with parameters as `$name`. */
const SCREENS = [
  ...readFileSync(
    new URL('../../ui/console/src/shell/routes.ts', import.meta.url),
    'utf8',
  ).matchAll(/^ +\[?'(\/[^']*)',/gm),
].map(([, path = '']) => path);

const SCOPES = ROUTES.filter(({ path }) => path.startsWith(`${API_BASE}/`))
  // Where two match, the one with fewer parameters is meant.
  .toSorted((a, b) => a.path.split(':').length - b.path.split(':').length)
  .map((route) => ({
    method: route.method,
    scope: scopeOf(route),
    pattern: new RegExp(`^${route.path.slice(API_BASE.length).replaceAll(/:\w+/g, '[^/]+')}$`),
  }));

function scopeFor({ method, path }: InterceptedRequest): string | undefined {
  return SCOPES.find((route) => route.method === method && route.pattern.test(path))?.scope;
}

type Answer = (request: InterceptedRequest) => Promise<void>;

const asItIs: Answer = (request) => request.pass();

/** Empties lists and passes all other responses on. */
function emptied(request: InterceptedRequest): Promise<void> {
  if (request.method !== 'GET' || isStream(request.url)) return request.pass();
  return request.rewrite((body) => {
    const list = body as { readonly items?: unknown; readonly meta?: object };
    if (!Array.isArray(list.items)) return body;
    const meta = { ...list.meta, total: 0, has_more: false, next_cursor: null };
    return { ...list, items: [], meta };
  });
}

function failed(request: InterceptedRequest): Promise<void> {
  const body = { error: 'Internal Server Error', detail: 'It broke.', code: 'INTERNAL' };
  return request.answer(500, body, { 'x-request-id': REQUEST_ID });
}

/** A tab whose API responses are determined by the test. */
class Stage {
  readonly page: Page;
  readonly #origin: string;
  #answer: Answer = asItIs;
  readonly #traffic: Traffic;
  #pending: InterceptedRequest[] = [];
  #requestCount = 0;
  #path = OVERVIEW;
  #isLeaving = false;

  constructor(page: Page, origin: string) {
    this.page = page;
    this.#origin = origin;
    this.#traffic = Traffic.of(page);
  }

  async set(): Promise<this> {
    await this.page.addInitScript(SHIFTS);
    await intercept(this.page, (request) => {
      // Requests of the previous page do not count for the next one.
      const { path, url } = request;
      const isOfFrame = FRAME.test(path) || isOfMenu(url, this.#path) || isNamesOfUsers(url);
      if (this.#isLeaving || isOfFrame) return request.pass();
      this.#requestCount += 1;
      return this.#answer(request);
    });
    return this;
  }

  /** The number of requests of the screen, without those of its frame. */
  get requestCount(): number {
    return this.#requestCount;
  }

  readonly hold: Answer = async (request) => void this.#pending.push(request);

  /** Sets the response to all requests, including those on hold. */
  async answer(answer: Answer): Promise<void> {
    this.#answer = answer;
    for (const request of this.#pending.splice(0)) await answer(request);
  }

  async open(path: string, answer: Answer): Promise<void> {
    this.#isLeaving = true;
    this.#pending = [];
    this.#requestCount = 0;
    this.#path = path;
    this.page.once('framenavigated', () => (this.#isLeaving = false));
    this.#answer = answer;
    const address = `${this.#origin}/console/t/org_default${path}`;
    await this.#traffic.load(address, () => this.#waiting());
  }

  settle(): Promise<void> {
    return this.#traffic.settle(() => this.#waiting());
  }

  #waiting(): number {
    return this.#pending.filter(({ url }) => !isStream(url)).length;
  }

  count(selector: string): Promise<number> {
    return this.page.locator(`main ${selector}`).count();
  }

  alerts(): Promise<string[]> {
    return this.page.locator('main [role=alert]').allInnerTexts();
  }
}

const browser = await launchBrowser();

describe(
  'a screen of the console',
  { skip: browser ? false : 'Chromium is not installed.' },
  () => {
    let keywright: Keywright;
    let addresses: readonly (readonly [screen: string, path: string])[];
    let stages: Stage[];

    before(async () => {
      keywright = await startKeywright({ env: { KEYWRIGHT_BASE_URL: undefined } });
      const tenants = await furnishTenants(keywright);
      const { home: tenant, admin: person } = keywright;
      const furnished = Object.values({
        ...(await furnishIn(keywright, tenant)),
        ...tenants.screens,
      });
      addresses = SCREENS.map((screen) => [screen, addressOf(screen, furnished)]);
      const origin = keywright.nodes[0]?.baseUrl ?? '';
      stages = await pooled(TABS, Array.from({ length: TABS }), async () => {
        const { page } = await enterConsole(browser as Browser, { tenant, person, origin });
        return new Stage(page, origin).set();
      });
    });
    after(async () => {
      await browser?.close();
      await keywright.close();
    });

    /** Checks all screens, in several tabs. */
    async function eachScreen(
      look: (stage: Stage, path: string, find: (...what: string[]) => void) => Promise<void>,
    ): Promise<void> {
      const findings = new Findings();
      const free = [...stages];
      let requesting = 0;
      await pooled(TABS, addresses, async ([screen, path]) => {
        const stage = free.pop();
        assert.ok(stage);
        try {
          await look(stage, path, (...what) => findings.add(what, screen));
        } catch (error) {
          findings.add([String(error).slice(0, 300)], screen);
        }
        if (stage.requestCount > 0) requesting += 1;
        free.push(stage);
      });
      findings.assertNone();
      assert.ok(requesting > addresses.length / 2, `only ${requesting} screens ask for anything`);
    }

    test('The addresses of more than 50 console screens were found', () => {
      assert.ok(SCREENS.length > 50);
    });

    test('A screen that loads reserves the space of its content, which then moves nothing', async () => {
      await eachScreen(async (stage, path, find) => {
        await stage.open(path, stage.hold);
        if (stage.requestCount === 0) return;
        if ((await stage.count('[aria-busy=true]')) === 0) find('is silent about loading');
        if ((await stage.alerts()).length > 0) find('complains of what is loading');
        // What moved before the content.
        await shiftsOf(stage.page);
        await stage.answer(asItIs);
        await stage.settle();
        const isBusy = async () => (await stage.count('[aria-busy=true]')) > 0;
        // A stream responds at any time.
        await until('everything is there', async () => !(await isBusy()));
        find(...(await shiftsOf(stage.page)));
      });
    });

    test('A screen that has nothing to show says so where each list would be, and offers what to do next', async () => {
      await eachScreen(async (stage, path, find) => {
        await stage.open(path, emptied);
        const alerts = await stage.alerts();
        if (alerts.length > 0) find(`complains: ${alerts[0]}`);
        const bare = await stage.count('table:not(:has(tbody [role=row], tbody tr))');
        if (bare > 0) find('has a table without rows');
        const idle = await stage.count('.empty:not(:has(a, button))');
        if (idle > 0) find('offers nothing to do about an empty list');
      });
    });

    test('A screen that fails says which request failed, and shows everything after another try', async () => {
      await eachScreen(async (stage, path, find) => {
        await stage.open(path, failed);
        if (stage.requestCount === 0) return;
        const hasFailed = async () => (await stage.alerts()).length > 0;
        await until('the failure is shown', hasFailed).catch(() => find('hides that it failed'));
        const alerts = await stage.alerts();
        const heading = await stage.page.locator('main h1').innerText();
        const title = await stage.page.title();
        if (title !== `${heading} · Keywright`) find(`is called ${title} under ${heading}`);
        for (const text of alerts)
          if (!text.includes(REQUEST_ID)) find(`names no request: ${text}`);
        const again = stage.page
          .locator('main [role=alert]')
          .getByRole('button', { name: 'Try again' });
        if ((await again.count()) < alerts.length) find('offers nothing to do about it');
        await stage.answer(asItIs);
        while ((await again.count()) > 0) {
          // Found and pressed in one step, because an automatic refresh can remove the button.
          await again.evaluateAll(([first]) =>
            first?.dispatchEvent(new Event('click', { bubbles: true })),
          );
          await stage.settle();
        }
        const rest = await stage.alerts();
        if (rest.length > 0) find(`still complains: ${rest[0]}`);
      });
    });

    test('A screen that the user cannot read names the missing scope', async () => {
      await eachScreen(async (stage, path, find) => {
        const refused = new Set<string>();
        await stage.open(path, async (request) => {
          const scope = scopeFor(request);
          if (scope === undefined) return request.pass();
          refused.add(scope);
          const detail = `The token lacks: ${scope}.`;
          return request.answer(403, { error: 'Forbidden', detail, code: 'SCOPE_REQUIRED' });
        });
        if (refused.size === 0) return;
        const named = await stage.page.locator('main [role=alert] .chip').allInnerTexts();
        if (named.length === 0 && path !== OVERVIEW)
          find(`does not name ${[...refused].join(', ')}`);
        const alerts = await stage.alerts();
        if (alerts.some((text) => !text.includes('with the permission to')))
          find('does not say the permission in words');
        if (alerts.length > named.length) find(`complains without a scope: ${alerts[0]}`);
        for (const scope of named)
          if (!refused.has(scope)) find(`names ${scope}, which was not refused`);
      });
    });
  },
);

/** The URL of a furnished screen of this kind. A screen without parameters has a fixed URL. */
function addressOf(screen: string, furnished: readonly string[]): string {
  if (!screen.includes('$')) return screen;
  const pattern = new RegExp(`^${screen.replaceAll(/\$\w+/g, '[^/?]+')}(?:\\?|$)`);
  const isOther = (path: string) => SCREENS.includes(path.replace(/\?.*/, ''));
  const found = furnished.find((path) => pattern.test(path) && !isOther(path));
  assert.ok(found, `no furniture has a screen ${screen}`);
  return found.replace(/\?.*/, '');
}

// The pictures of the README: the login of an application, and the console of its tenant.

import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { launchBrowser } from '../../conformance/browser.ts';
import { enterConsole } from '../../console/operator.ts';
import { registerClient } from '../../harness/application.ts';
import { expectStatus } from '../../harness/http.ts';
import { type Keywright, startKeywright } from '../../harness/keywright.ts';
import type { TestTenant } from '../../harness/tenant.ts';
import { newPkce } from '../../harness/visitor.ts';
import { newViewer } from '../showing.ts';

const SIZE = { width: 1280, height: 720 };
const CALLBACK = 'https://shop.example.com/callback';
const PEOPLE = ['ada', 'grace', 'alan', 'katherine', 'edsger', 'barbara', 'donald', 'radia', 'tim'];

/** @returns the paths of the pictures. @throws where there is no browser */
export async function takeForReadme(folder: string): Promise<readonly string[]> {
  const browser = await launchBrowser();
  if (!browser) throw new Error('There is no Chromium here.');
  const keywright = await startKeywright({ env: { KEYWRIGHT_BASE_URL: undefined } });
  try {
    await mkdir(folder, { recursive: true });
    const tenant = await keywright.tenant('acme', { name: 'Acme Robotics' });
    const client = await furnish(tenant);
    const login = join(folder, 'login.png');
    await takeLogin(browser, keywright, { tenant, client }, login);
    return [login, ...(await takeConsole(browser, keywright, tenant, folder))];
  } finally {
    await browser.close();
    await keywright.close();
  }
}

/** @returns the id of the application that users log in to */
async function furnish(tenant: TestTenant): Promise<string> {
  const token = await tenant.adminToken();
  const create = async (path: string, body: object) =>
    expectStatus(201, await tenant.request('POST', path, { token, body }));
  const branding = { company_name: 'Acme Robotics', primary_color: '#0b6e4f' };
  const path = `/tenants/${tenant.id}`;
  expectStatus(200, await tenant.request('PATCH', path, { token, body: { branding } }));
  await create('/workspaces', { name: 'Assembly line', slug: 'assembly' });
  await create('/roles', { name: 'engineer', scopes: ['read:robots', 'write:robots'] });
  for (const [index, name] of PEOPLE.entries()) {
    await create('/users', {
      identifier: `${name}@acme.example`,
      password: 'engines of analysis',
      roles: index % 3 === 0 ? ['member', 'engineer'] : ['member'],
    });
  }
  await tenant.createAgent({ name: 'Inventory robot' });
  return registerClient(tenant, { name: 'Robot Shop', redirect_uris: [CALLBACK] });
}

async function takeLogin(
  browser: Browser,
  keywright: Keywright,
  { tenant, client }: { tenant: TestTenant; client: string },
  path: string,
): Promise<void> {
  const origin = keywright.nodes[0]?.baseUrl ?? '';
  const { page } = await newViewer(browser, origin);
  await page.setViewportSize(SIZE);
  const query = new URLSearchParams({
    client_id: client,
    redirect_uri: CALLBACK,
    response_type: 'code',
    scope: 'openid',
    state: 'a-state',
    code_challenge: newPkce().challenge,
    code_challenge_method: 'S256',
  });
  await page.goto(`${origin}/t/${tenant.id}/oauth/authorize?${query.toString()}`);
  await page.screenshot({ path });
}

async function takeConsole(
  browser: Browser,
  keywright: Keywright,
  tenant: TestTenant,
  folder: string,
): Promise<readonly string[]> {
  const person = await tenant.createUser({ identifier: 'operator@acme.example', roles: ['admin'] });
  const origin = keywright.nodes[0]?.baseUrl ?? '';
  const operator = await enterConsole(browser, { tenant, person, origin });
  const { page } = operator;
  await page.setViewportSize(SIZE);
  await operator.open('/users');
  const taken: string[] = [];
  for (const colorScheme of ['light', 'dark'] as const) {
    const path = join(folder, `console-${colorScheme}.png`);
    await page.emulateMedia({ colorScheme });
    await page.screenshot({ path });
    taken.push(path);
  }
  return taken;
}

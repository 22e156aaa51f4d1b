// The pictures of the documentation: the login of an application, and the console of its tenant.

import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { launchBrowser } from '../../conformance/browser.ts';
import { enterConsole, type Operator } from '../../console/operator.ts';
import { openInbox } from '../../harness/inbox.ts';
import { type Keywright, startKeywright } from '../../harness/keywright.ts';
import { newPkce } from '../../harness/visitor.ts';
import { newViewer } from '../showing.ts';
import { type Acme, CALLBACK, createOperator, furnishAcme, spreadCreation } from './acme.ts';
import { settleShot } from './console.ts';

const SIZE = { width: 1280, height: 720 };

/** @returns the paths of the pictures. @throws if there is no browser */
export async function takeForDocs(folder: string): Promise<readonly string[]> {
  const browser = await launchBrowser();
  if (!browser) throw new Error('Chromium is not installed.');
  const inbox = await openInbox();
  const env = { KEYWRIGHT_BASE_URL: undefined, KEYWRIGHT_EGRESS_ALLOW: '127.0.0.1' };
  const keywright = await startKeywright({ env });
  try {
    await mkdir(folder, { recursive: true });
    const acme = await furnishAcme(keywright, inbox);
    await inbox.wait(1);
    const login = join(folder, 'login.png');
    await takeLogin(browser, keywright, acme, login);
    return [login, ...(await takeConsole(browser, keywright, acme, folder))];
  } finally {
    await browser.close();
    await keywright.close();
    await inbox.close();
  }
}

async function takeLogin(
  browser: Browser,
  keywright: Keywright,
  { tenant, client }: Acme,
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

/** One picture. @param before what is done on the screen first */
interface Shot {
  readonly name: string;
  readonly path: string;
  readonly scheme?: 'dark';
  readonly before?: (page: Page) => Promise<void>;
}

async function takeConsole(
  browser: Browser,
  keywright: Keywright,
  acme: Acme,
  folder: string,
): Promise<readonly string[]> {
  const { tenant } = acme;
  const person = await createOperator(tenant);
  await spreadCreation(keywright, tenant.id);
  const origin = keywright.nodes[0]?.baseUrl ?? '';
  const operator = await enterConsole(browser, { tenant, person, origin });
  await operator.page.setViewportSize(SIZE);
  await keywright.nodes[0]?.notes.flush();
  await keywright.nodes[0]?.sealing.seal(tenant.id);
  const taken: string[] = [];
  for (const shot of shotsOf(acme)) taken.push(await take(operator, shot, folder));
  return taken;
}

function shotsOf({ user, agent, client, webhook }: Acme): readonly Shot[] {
  const refusal = `subject=${user}&action=delete&resource=robots&workspace=ws_default`;
  return [
    { name: 'console-light', path: '/users' },
    { name: 'console-dark', path: '/users', scheme: 'dark' },
    { name: 'tour-overview', path: '/' },
    { name: 'tour-permissions', path: `/users/${user}?tab=access` },
    { name: 'tour-explain', path: `/access-check?${refusal}` },
    { name: 'tour-disable', path: `/agents/${agent}`, before: act('Disable') },
    { name: 'tour-code', path: `/clients/${client}?tab=code` },
    { name: 'tour-webhook', path: `/webhooks/${webhook}` },
    { name: 'tour-branding', path: '/branding', scheme: 'dark' },
    { name: 'tour-audit', path: '/audit', before: verify },
    { name: 'tour-palette', path: '/usage', before: openPalette },
  ];
}

function press(name: string): (page: Page) => Promise<void> {
  return (page) => page.getByRole('button', { name, exact: true }).click();
}

function act(name: string): (page: Page) => Promise<void> {
  return async (page) => {
    await press('More actions')(page);
    await page.getByRole('menuitem', { name, exact: true }).click();
  };
}

async function openPalette(page: Page): Promise<void> {
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox').fill('ada');
  await page.getByRole('option', { name: /Ada Lovelace/ }).waitFor();
}

async function verify(page: Page): Promise<void> {
  await act('Verify this page')(page);
  await page.getByText('verified.').waitFor();
}

async function take(operator: Operator, shot: Shot, folder: string): Promise<string> {
  const { page } = operator;
  const { name, path, scheme = 'light', before } = shot;
  await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' });
  await operator.open(path);
  await before?.(page);
  await settleShot(page);
  const file = join(folder, `${name}.png`);
  await page.screenshot({ path: file });
  return file;
}

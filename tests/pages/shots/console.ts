// Pictures of every screen of the console, with the data of a realistic tenant.

import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { launchBrowser } from '../../conformance/browser.ts';
import { enterConsole, type Operator } from '../../console/operator.ts';
import { Traffic } from '../../console/traffic.ts';
import { openInbox } from '../../harness/inbox.ts';
import { type Keywright, startKeywright } from '../../harness/keywright.ts';
import type { Credentials, TestTenant } from '../../harness/tenant.ts';
import { type Acme, createOperator, furnishAcme, spreadCreation } from './acme.ts';
import type { Taken } from './take.ts';

const WIDTHS = [1440, 1280, 390];
const SCHEMES = ['light', 'dark'] as const;
const LOCALES = ['en', 'ar'];
const HEIGHT = 900;
const PHONE = 500;
const PHONE_HEIGHT = 844;

interface Selection {
  /** A part of the names of the screens. */
  readonly only: string;
  /** Default: English and Arabic. */
  readonly locale: string | undefined;
}

type Screens = Readonly<Record<string, string>>;

/** Paths below the tenant, by the name of the screen. */
function tenantScreens({ user, agent, client, webhook }: Acme): Screens {
  return {
    overview: '/',
    users: '/users',
    'new user': '/users/new',
    'import of users': '/users/import',
    user: `/users/${user}`,
    'sessions of a user': `/users/${user}?tab=sessions`,
    'security of a user': `/users/${user}?tab=security`,
    'access of a user': `/users/${user}?tab=access`,
    'activity of a user': `/users/${user}?tab=activity`,
    invitations: '/invitations',
    'new invitation': '/invitations/new',
    sessions: '/sessions',
    workspaces: '/workspaces',
    'new workspace': '/workspaces/new',
    workspace: '/workspaces/ws_research',
    roles: '/roles',
    'new role': '/roles/new',
    role: '/roles/engineer',
    'access check': `/access-check?subject=${user}&action=delete&resource=robots&workspace=ws_default`,
    agents: '/agents',
    'new agent': '/agents/new',
    agent: `/agents/${agent}`,
    'new API key': `/agents/${agent}/keys/new`,
    'leaked key': '/agents/leak',
    'signing keys': '/keys',
    applications: '/clients',
    'new application': '/clients/new',
    'new web application': '/clients/new?kind=web',
    'policy for applications': '/clients/policy',
    application: `/clients/${client}`,
    'code of an application': `/clients/${client}?tab=code`,
    'security of an application': `/clients/${client}?tab=security`,
    'registration tokens': '/clients/registration-tokens',
    'new registration token': '/clients/registration-tokens/new',
    webhooks: '/webhooks',
    'new webhook': '/webhooks/new',
    webhook: `/webhooks/${webhook}`,
    APIs: '/resources',
    'new API': '/resources/new',
    'identity providers': '/providers',
    'new provider': '/providers/new',
    'new Google provider': '/providers/new?type=google',
    branding: '/branding',
    texts: '/texts',
    text: '/texts/login.title?locale=en',
    'email and SMS': '/messages',
    'email server': '/messages?tab=server',
    email: '/messages/login?locale=en',
    usage: '/usage',
    'live events': '/events?paused=1',
    'audit log': '/audit',
    'sign-in methods': '/methods',
    settings: '/settings',
    domains: '/settings/domains',
    'sessions and tokens': '/settings/tokens',
    claims: '/settings/claims',
    limits: '/settings/limits',
    'page not found': '/nowhere',
  };
}

/** Of the tenant that manages the installation. */
const SYSTEM_SCREENS: Screens = {
  tenants: '/tenants',
  'new tenant': '/tenants/new',
  installation: '/installation',
};

/** @throws if there is no browser */
export async function takeConsole(folder: string, selection: Selection): Promise<Taken[]> {
  const browser = await launchBrowser();
  if (!browser) throw new Error('Chromium is not installed.');
  const inbox = await openInbox();
  const env = { KEYWRIGHT_BASE_URL: undefined, KEYWRIGHT_EGRESS_ALLOW: '127.0.0.1' };
  const keywright = await startKeywright({ env });
  try {
    const acme = await furnishAcme(keywright, inbox);
    await inbox.wait(1);
    const { tenant } = acme;
    const person = await createOperator(tenant);
    await spreadCreation(keywright, tenant.id);
    await keywright.nodes[0]?.notes.flush();
    await keywright.nodes[0]?.sealing.seal(tenant.id);
    const camera = { browser, keywright, folder, selection };
    return [
      ...(await takeScreens({ ...camera, tenant, person }, tenantScreens(acme))),
      ...(await takeScreens(
        { ...camera, tenant: keywright.home, person: keywright.admin },
        SYSTEM_SCREENS,
      )),
    ];
  } finally {
    await browser.close();
    await keywright.close();
    await inbox.close();
  }
}

interface Camera {
  readonly browser: Browser;
  readonly keywright: Keywright;
  readonly folder: string;
  readonly selection: Selection;
  readonly tenant: TestTenant;
  readonly person: Credentials;
}

async function takeScreens(camera: Camera, screens: Screens): Promise<Taken[]> {
  const { only, locale } = camera.selection;
  const selected = Object.entries(screens).filter(([name]) => name.includes(only));
  if (selected.length === 0) return [];
  const origin = camera.keywright.nodes[0]?.baseUrl ?? '';
  const operator = await enterConsole(camera.browser, { ...camera, origin });
  const taken: Taken[] = [];
  for (const language of locale === undefined ? LOCALES : [locale]) {
    await operator.page.evaluate(`localStorage.setItem('keywright-language', '${language}')`);
    for (const [page, path] of selected) {
      const pictures = await takeScreen(operator, path, (variant) =>
        join(camera.folder, `console ${language}`, `${page} ${variant}.png`),
      );
      const paths = pictures.map((file) => file.slice(camera.folder.length + 1));
      taken.push({ gallery: `console ${language}`, page, pictures: paths });
    }
  }
  await operator.context.close();
  return taken;
}

/** @returns the files */
async function takeScreen(
  operator: Operator,
  path: string,
  fileOf: (variant: string) => string,
): Promise<string[]> {
  const files: string[] = [];
  const { page } = operator;
  await operator.open(path);
  for (const width of WIDTHS) {
    for (const colorScheme of SCHEMES) {
      await page.setViewportSize({ width, height: width < PHONE ? PHONE_HEIGHT : HEIGHT });
      await page.emulateMedia({ colorScheme });
      await settleShot(page);
      const file = fileOf(`${colorScheme} ${width}`);
      await mkdir(dirname(file), { recursive: true });
      await page.screenshot({ path: file, fullPage: true });
      files.push(file);
    }
  }
  return files;
}

/** Waits until the screen is still, also where a chart replaces the space that was reserved for it. */
export async function settleShot(page: Page): Promise<void> {
  await Traffic.of(page).settle();
  await page.locator('[aria-busy=true]').first().waitFor({ state: 'detached' });
}

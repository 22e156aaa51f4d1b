// A browser in which a user is logged in to the console.

import type { Browser } from 'playwright-core';
import type { Credentials, TestTenant } from '../harness/tenant.ts';
import { fillInLogin } from '../harness/login-pages.ts';
import { newViewer, type Viewer } from '../pages/showing.ts';
import { Traffic } from './traffic.ts';

export interface Operator extends Viewer {
  /** Opens a screen of the tenant, and waits for all that it loads. */
  open(path: string): Promise<void>;
}

/** Logs in by the hosted pages, as the console sends people there. */
export async function enterConsole(
  browser: Browser,
  { tenant, person, origin }: { tenant: TestTenant; person: Credentials; origin: string },
): Promise<Operator> {
  const viewer = await newViewer(browser, origin, 'anywhere');
  const { page } = viewer;
  const traffic = Traffic.of(page);
  const open = (path: string) => traffic.load(`${origin}/console/t/${tenant.id}${path}`);
  await open('/');
  await fillInLogin(page, person);
  await page.waitForURL(`${origin}/console/t/${tenant.id}**`);
  await traffic.settleShown();
  viewer.complaints();
  return { ...viewer, open };
}

// Applications whose users log in on the service's pages, and the actions of these users there.

import type { CreatedOAuthClient } from '@keywright/contract/records/oauth-client';
import type { Browser, Page } from 'playwright-core';
import { expectStatus } from './http.ts';
import type { Credentials, TestTenant } from './tenant.ts';

/** Registers an application. */
export async function registerApplication(
  tenant: TestTenant,
  fields: object,
): Promise<CreatedOAuthClient> {
  const body = {
    name: 'Invoices',
    kind: 'web',
    grant_types: ['authorization_code', 'refresh_token'],
    scopes: ['openid', 'profile', 'email', 'offline_access'],
    ...fields,
  };
  const answer = await tenant.request<CreatedOAuthClient>('POST', '/clients', {
    token: await tenant.adminToken(),
    body,
  });
  return expectStatus(201, answer);
}

export interface Visitor {
  readonly page: Page;
  /** Errors and warnings of the browser. */
  readonly complaints: readonly string[];
}

/** A browser that has not been anywhere yet. */
export async function newVisitor(
  browser: Browser,
  { hasScripts }: { readonly hasScripts: boolean },
): Promise<Visitor> {
  const context = await browser.newContext({ javaScriptEnabled: hasScripts });
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  return { page, complaints };
}

/** Fills in the login page in the browser. */
export async function fillInLogin(page: Page, { identifier, password }: Credentials) {
  await page.fill('#identifier', identifier);
  await page.fill('#secret', password);
  await page.click('#login-submit');
}

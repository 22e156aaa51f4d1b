// The service with its pages in every language, for tests and tools that open them in a browser.

import type { Browser, BrowserContext, Page } from 'playwright-core';
import { bindParts } from '@keywright/server/modules/pages/previews/parts-page';
import { defineModule } from '@keywright/server/tenancy/module';
import { type Keywright, startKeywright } from '../harness/keywright.ts';
import { type MailSink, startMailSink } from '../harness/mail-sink.ts';
import { mailThrough } from '../harness/mailed.ts';
import { type FakeProvider, startFakeProvider } from '../harness/upstream.ts';
import { startDocuments } from './documents.ts';
import { walkGallery } from './gallery.ts';
import type { Gallery, World } from './world.ts';
import { LONG, PLAIN, type Texts } from './texts.ts';

/** The service, and the servers that it connects to. */
export interface Scene {
  readonly keywright: Keywright;
  /** Walks pages of new tenants with these texts. @param slug of the tenants @param furnish before the first page */
  walk(texts: Texts, slug: string, locale?: string, furnish?: World['furnish']): Promise<Gallery>;
  close(): Promise<void>;
}

/** The page of parts, which the service serves only in development. */
const PARTS = defineModule('parts, of a test', () => ({ routes: bindParts }));

export async function openScene(): Promise<Scene> {
  const sink: MailSink = await startMailSink();
  const provider: FakeProvider = await startFakeProvider();
  const documents = await startDocuments([PLAIN.host, LONG.host]);
  const env = { ...mailThrough(sink), KEYWRIGHT_EGRESS_ALLOW: '127.0.0.1' };
  const keywright = await startKeywright({ env, modules: [PARTS], outside: documents.outside });
  return {
    keywright,
    walk: (texts, slug, locale = 'en', furnish) =>
      walkGallery({ keywright, sink, provider, documents, texts, slug, locale, furnish }),
    async close() {
      await keywright.close();
      await provider.close();
      await documents.close();
      await sink.close();
    },
  };
}

/** A tab, and the browser's complaints about it. */
export interface Viewer {
  readonly page: Page;
  readonly context: BrowserContext;
  /** Takes the complaints since the last time. */
  readonly complaints: () => string[];
}

/** The browser logs this for each page with such a status. It is not a fault of the page. */
const OF_STATUS = /the server responded with a status of 4\d\d/;

/** Reports violations of the content security policy (CSP 3 §5.2), also those that the browser does not log. */
const POLICY_VIOLATIONS = `addEventListener('securitypolicyviolation', (violation) => {
  const { effectiveDirective, blockedURI, sourceFile, lineNumber } = violation;
  console.error('violates ' + effectiveDirective + ': ' + [blockedURI, sourceFile, lineNumber].join(' '));
})`;

/**
 * @param origin of the pages
 * @param leads with `nowhere`, requests to other origins get a 204, so that a page that redirects itself is kept open
 * (HTML §7.4.2.2). Scripts are then not cached, because intercepting requests disables the cache.
 */
export async function newViewer(
  browser: Browser,
  origin: string,
  leads: 'nowhere' | 'anywhere' = 'nowhere',
): Promise<Viewer> {
  const context = await browser.newContext({ reducedMotion: 'reduce', serviceWorkers: 'block' });
  await context.addInitScript(POLICY_VIOLATIONS);
  const page = await context.newPage();
  let heard: string[] = [];
  page.on('console', (message) => {
    const { url } = message.location();
    if (!OF_STATUS.test(message.text()) || !url.startsWith(origin)) heard.push(message.text());
  });
  page.on('pageerror', (error) => heard.push(error.message));
  const isElsewhere = (url: URL) => url.origin !== origin;
  if (leads === 'nowhere') await page.route(isElsewhere, (route) => route.fulfill({ status: 204 }));
  return {
    page,
    context,
    complaints() {
      const taken = heard;
      heard = [];
      return taken;
    },
  };
}

/** Opens a page, even if it starts to redirect before it is complete. */
export async function show({ page }: Viewer, address: string): Promise<void> {
  await page.goto(address, { waitUntil: 'commit' });
  await page.evaluate(COMPLETE);
}

/** A page that starts to redirect before it is complete gets no load event. */
const COMPLETE = `document.readyState === 'complete' || new Promise((resolve) => {
  document.addEventListener('readystatechange', () => document.readyState === 'complete' && resolve());
})`;

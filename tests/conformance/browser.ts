import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

/** Where Debian, Ubuntu, Fedora and Alpine, and macOS, put it. */
const PLACES = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];
/** Nothing but what the page itself asks for goes out. */
const FLAGS = [
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/**
 * A real browser, the one that KEYWRIGHT_TEST_CHROMIUM names or one of the usual places; nothing on a machine
 * that has none. @throws where continuous integration has none
 */
export async function launchBrowser(): Promise<Browser | undefined> {
  const named = process.env['KEYWRIGHT_TEST_CHROMIUM'];
  const executablePath = (named === undefined ? PLACES : [named]).find((path) => existsSync(path));
  if (executablePath === undefined) {
    if (named === undefined && process.env['CI'] === undefined) return undefined;
    throw new Error(
      `There is no Chromium at ${named ?? PLACES.join(', ')}. Install it (Debian: apt-get install chromium), ` +
        'or name one in KEYWRIGHT_TEST_CHROMIUM.',
    );
  }
  // Chromium's own sandbox does not start under root.
  return chromium.launch({
    executablePath,
    args: FLAGS,
    chromiumSandbox: process.getuid?.() !== 0,
  });
}

import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

export type { Browser, Page } from 'playwright-core';

/**
 * The paths on Debian, Ubuntu, Fedora and Alpine, and macOS. First the same engine without windows, which takes half of
 * the CPU time.
 */
const PLACES = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];
/** Disables all traffic except the page's own. */
const FLAGS = [
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/**
 * A real browser, named by KEYWRIGHT_TEST_CHROMIUM or at a usual path; undefined on a machine without one.
 * @throws in continuous integration without one
 */
export async function launchBrowser(flags: readonly string[] = []): Promise<Browser | undefined> {
  const named = process.env['KEYWRIGHT_TEST_CHROMIUM'];
  const executablePath = (named === undefined ? PLACES : [named]).find((path) => existsSync(path));
  if (executablePath === undefined) {
    if (named === undefined && process.env['CI'] === undefined) return undefined;
    throw new Error(
      `There is no Chromium at ${named ?? PLACES.join(', ')}. Install it (Debian: apt-get install chromium-headless-shell), ` +
        'or name one in KEYWRIGHT_TEST_CHROMIUM.',
    );
  }
  // Chromium's sandbox does not start as root.
  return chromium.launch({
    executablePath,
    args: [...FLAGS, ...flags],
    chromiumSandbox: process.getuid?.() !== 0,
  });
}

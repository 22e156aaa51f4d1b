import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

export type { Browser, BrowserContextOptions, Page } from 'playwright-core';

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
  const launch = () =>
    chromium.launch({
      executablePath,
      args: [...FLAGS, ...flags],
      // Chromium's sandbox does not start as root.
      chromiumSandbox: process.getuid?.() !== 0,
    });
  if (flags.length > 0 || !process.connected) return launch();
  shared ??= launch().then((browser) => {
    process.once('disconnect', () => void browser.close());
    return browser;
  });
  return withoutClose(await shared);
}

/** Of a worker that runs several test files (tools/test); its parent disconnects after the last one. */
let shared: Promise<Browser> | undefined;

/** Wraps a browser: `close` closes what was opened in it, and leaves the browser to the next file. */
function withoutClose(browser: Browser): Browser {
  return new Proxy(browser, {
    get(target, key) {
      if (key === 'close') {
        return () => Promise.all(target.contexts().map((context) => context.close()));
      }
      const value: unknown = Reflect.get(target, key);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

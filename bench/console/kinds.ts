import type { Page } from '@keywright/tests/conformance/browser';
import { SETTLED } from './in-page.ts';

/** In the navigation. The breadcrumb of an open screen and the bar of narrow windows lead to screens as well. */
export const LINKS = '.rail .nav a';

/** Interactions that belong together. They end in the state in which they started. */
interface Kind {
  readonly name: string;
  /** The screen, below the tenant. */
  readonly path: string;
  /** In each round. */
  readonly times: number;
  readonly act: (page: Page) => Promise<void>;
}

/** A hundred of a million users, with their tools. */
const USERS = '/users?limit=100';
const AUDIT = '/audit?limit=100';
const TIMES = 5;

export const KINDS: readonly Kind[] = [
  { name: 'screens', path: '', times: 1, act: openScreens },
  { name: 'typing', path: USERS, times: TIMES, act: typeSearch },
  { name: 'filter', path: USERS, times: TIMES, act: filterByState },
  { name: 'sort', path: USERS, times: TIMES, act: sortByCreation },
  { name: 'tab', path: USERS, times: TIMES, act: switchTab },
  { name: 'selection', path: USERS, times: TIMES, act: selectAll },
  { name: 'row-menu', path: USERS, times: TIMES, act: openRowMenu },
  { name: 'dialog', path: USERS, times: TIMES, act: openDialog },
  { name: 'sheet', path: AUDIT, times: TIMES, act: openSheet },
  { name: 'theme', path: USERS, times: TIMES, act: switchTheme },
];

/** Opens each screen of the navigation by a click, and the palette there with the keyboard. */
async function openScreens(page: Page): Promise<void> {
  const links = page.locator(LINKS);
  const screens = await links.count();
  for (let place = 0; place < screens; place += 1) {
    await links.nth(place).click();
    await page.evaluate(SETTLED);
    await page.keyboard.press('Tab');
    await openPalette(page);
    await page.evaluate(SETTLED);
  }
}

/** Opens the palette, searches, and closes it. */
async function openPalette(page: Page): Promise<void> {
  const palette = page.getByRole('dialog').getByRole('combobox');
  await page.keyboard.press('Control+k');
  await palette.waitFor();
  for (const key of ['u', 's', 'ArrowDown', 'Escape']) await page.keyboard.press(key);
  await palette.waitFor({ state: 'hidden' });
}

/** Types letter by letter, so that rows of several searches appear while typing. */
async function typeSearch(page: Page): Promise<void> {
  const field = page.getByRole('searchbox');
  await field.click();
  await page.keyboard.type('ada love', { delay: 60 });
  await page.waitForURL(/search=ada/);
  await page.evaluate(SETTLED);
  await field.selectText();
  await page.keyboard.press('Backspace');
  await page.waitForURL((url) => !url.searchParams.has('search'));
}

async function filterByState(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Filter', exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Status', exact: true }).click();
  await page.getByRole('option', { name: 'Active', exact: true }).click();
  await page.waitForURL(/is_active=true/);
  await page.evaluate(SETTLED);
  await page.getByRole('tab').first().click();
  await page.waitForURL((url) => !url.searchParams.has('is_active'));
}

/** First the oldest at the top, then the newest again. */
async function sortByCreation(page: Page): Promise<void> {
  for (const order of ['created_at', '-created_at']) {
    await page.locator('main th .sort', { hasText: 'Created' }).click();
    await page.waitForURL((url) => (url.searchParams.get('sort') ?? '-created_at') === order);
    await page.evaluate(SETTLED);
  }
}

async function switchTab(page: Page): Promise<void> {
  for (const tab of [1, 0]) {
    await page.getByRole('tab').nth(tab).click();
    await page.evaluate(SETTLED);
  }
}

async function selectAll(page: Page): Promise<void> {
  const box = page.locator('main thead input[type=checkbox]');
  await box.check();
  await page.locator('main tbody input[type=checkbox]').first().uncheck();
  await box.check();
  await box.uncheck();
}

async function openRowMenu(page: Page): Promise<void> {
  await page.locator('main tbody td.tools button').first().click();
  await page.getByRole('menu').waitFor();
  for (const key of ['ArrowDown', 'ArrowDown', 'Escape']) await page.keyboard.press(key);
  await page.getByRole('menu').waitFor({ state: 'detached' });
}

/** Asks whether to delete the first user, and cancels. */
async function openDialog(page: Page): Promise<void> {
  await page.locator('main tbody td.tools button').first().click();
  await page.getByRole('menuitem').last().click();
  await page.getByRole('alertdialog').waitFor();
  await page.evaluate(SETTLED);
  await page.keyboard.press('Escape');
  await page.getByRole('alertdialog').waitFor({ state: 'detached' });
}

async function openSheet(page: Page): Promise<void> {
  await page.locator('main tbody button.opens').first().click();
  await page.locator('.sheet').waitFor();
  await page.keyboard.press('Escape');
  await page.locator('.sheet').waitFor({ state: 'detached' });
}

async function switchTheme(page: Page): Promise<void> {
  await page.locator('.rail .person').click();
  for (const name of ['Dark', 'Light', 'System']) {
    await page.getByRole('menuitemradio', { name, exact: true }).click();
  }
  await page.keyboard.press('Escape');
  await page.getByRole('menu').waitFor({ state: 'detached' });
}

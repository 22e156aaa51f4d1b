// How an operator works: with a mouse, or with a keyboard alone.

import type { Locator, Page } from 'playwright-core';

/** Every control of a page is reached by fewer presses of Tab. */
const MOST_TABS = 300;
const MOST_ITEMS = 20;

export interface Hands {
  /** Presses a button or follows a link. */
  press(control: Locator): Promise<void>;
  /** Replaces the text in the field. */
  type(field: Locator, text: string): Promise<void>;
  /** Chooses an item of an open menu. */
  pick(item: Locator): Promise<void>;
  /** Checks or unchecks a box. */
  toggle(box: Locator): Promise<void>;
  /** Chooses in a list. @param option its text */
  choose(list: Locator, option: string): Promise<void>;
}

export function mouse(): Hands {
  return {
    press: (control) => control.click(),
    pick: (item) => item.click(),
    type: (field, text) => field.fill(text),
    toggle: (box) => box.click(),
    choose: async (list, option) => void (await list.selectOption({ label: option })),
  };
}

/** Touches nothing that Tab does not reach. */
export function keyboard(page: Page): Hands {
  const reach = async (control: Locator) => {
    await control.waitFor();
    for (let count = 0; count < MOST_TABS; count += 1) {
      if ((await control.and(page.locator(':focus')).count()) > 0) return;
      await page.keyboard.press('Tab');
    }
    throw new Error(`Tab does not reach ${String(control)}.`);
  };
  return {
    async press(control) {
      await reach(control);
      await page.keyboard.press('Enter');
    },
    async pick(item) {
      await item.waitFor();
      for (let count = 0; count < MOST_ITEMS; count += 1) {
        if ((await item.and(page.locator(':focus')).count()) > 0)
          return page.keyboard.press('Enter');
        await page.keyboard.press('ArrowDown');
      }
      throw new Error(`The arrows do not reach ${String(item)}.`);
    },
    async type(field, text) {
      await reach(field);
      await page.keyboard.press('ControlOrMeta+A');
      await page.keyboard.type(text);
    },
    async toggle(box) {
      await reach(box);
      await page.keyboard.press('Space');
    },
    async choose(list, option) {
      const isChosen = list.locator('option:checked', { hasText: option });
      const options = await list.locator('option').count();
      await reach(list);
      await page.keyboard.press('Home');
      for (let count = 0; count < options; count += 1) {
        if ((await isChosen.count()) > 0) return;
        await page.keyboard.press('ArrowDown');
      }
      throw new Error(`The arrows do not reach ${option}.`);
    },
  };
}

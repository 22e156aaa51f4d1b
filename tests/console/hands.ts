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

/** What a task takes. */
export interface Effort {
  /** Presses of buttons, links and keyboard shortcuts. */
  readonly presses: number;
  /** Fields that were typed in, chosen or checked. */
  readonly fields: number;
}

/** Counts what it does. */
export class CountingHands implements Hands {
  readonly #hands: Hands;
  #presses = 0;
  #fields = 0;

  constructor(hands: Hands) {
    this.#hands = hands;
  }

  press(control: Locator): Promise<void> {
    this.#presses += 1;
    return this.#hands.press(control);
  }

  pick(item: Locator): Promise<void> {
    this.#presses += 1;
    return this.#hands.pick(item);
  }

  type(field: Locator, text: string): Promise<void> {
    this.#fields += 1;
    return this.#hands.type(field, text);
  }

  toggle(box: Locator): Promise<void> {
    this.#fields += 1;
    return this.#hands.toggle(box);
  }

  choose(list: Locator, option: string): Promise<void> {
    this.#fields += 1;
    return this.#hands.choose(list, option);
  }

  /** Types in a field that suggests, and takes a suggestion: one field. */
  async lookUp(field: Locator, text: string, suggestion: Locator): Promise<void> {
    await this.type(field, text);
    await this.#hands.press(suggestion);
  }

  /** Takes a file: one field. */
  async attach(field: Locator, file: { name: string; mimeType: string; buffer: Buffer }) {
    this.#fields += 1;
    await field.setInputFiles(file);
  }

  /** Presses keys that are a shortcut: one press. */
  async shortcut(page: Page, keys: string): Promise<void> {
    this.#presses += 1;
    await page.keyboard.press(keys);
  }

  /** Takes the effort since the last call. */
  takeEffort(): Effort {
    const effort = { presses: this.#presses, fields: this.#fields };
    this.#presses = 0;
    this.#fields = 0;
    return effort;
  }
}

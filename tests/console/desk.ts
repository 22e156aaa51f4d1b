// An operator at the console of the real service: with a mouse on PostgreSQL, with a keyboard alone on the embedded database.

import type { Browser, Locator, Page } from 'playwright-core';
import { type Keywright, type KeywrightOptions, startKeywright } from '../harness/keywright.ts';
import type { TestTenant } from '../harness/tenant.ts';
import { type Hands, keyboard, mouse } from './hands.ts';
import { enterConsole, type Operator } from './operator.ts';

/** Each journey on both databases, and with both kinds of hands. */
export const OPERATORS = [
  { title: 'with a mouse, on PostgreSQL', engine: 'postgres', take: mouse },
  { title: 'with a keyboard alone, on the embedded database', engine: 'pglite', take: keyboard },
] as const;

export class Desk {
  readonly keywright: Keywright;
  readonly tenant: TestTenant;
  readonly #operator: Operator;
  readonly #hands: Hands;

  private constructor(keywright: Keywright, tenant: TestTenant, operator: Operator, hands: Hands) {
    this.keywright = keywright;
    this.tenant = tenant;
    this.#operator = operator;
    this.#hands = hands;
  }

  static async open(
    browser: Browser,
    { engine, take }: Pick<(typeof OPERATORS)[number], 'engine' | 'take'>,
    outside: KeywrightOptions['outside'] = {},
  ): Promise<Desk> {
    const env = { KEYWRIGHT_BASE_URL: undefined, KEYWRIGHT_EGRESS_ALLOW: '127.0.0.1' };
    const keywright = await startKeywright({ engine, env, outside });
    // Only PostgreSQL takes the short way to further tenants of a test.
    const isHome = engine === 'pglite';
    const tenant = isHome ? keywright.home : await keywright.tenant('journeys');
    const person = isHome ? keywright.admin : await tenant.createUser({ roles: ['admin'] });
    const origin = keywright.nodes[0]?.baseUrl ?? '';
    const operator = await enterConsole(browser, { tenant, person, origin });
    return new Desk(keywright, tenant, operator, take(operator.page));
  }

  get page(): Page {
    return this.#operator.page;
  }

  /** Opens a screen of the tenant. */
  open(path: string): Promise<void> {
    return this.#operator.open(path);
  }

  press(name: string | Locator): Promise<void> {
    const isName = typeof name === 'string';
    return this.#hands.press(isName ? this.page.getByRole('button', { name, exact: true }) : name);
  }

  type(field: string | Locator, text: string): Promise<void> {
    const isLabel = typeof field === 'string';
    return this.#hands.type(isLabel ? this.#labelled(field) : field, text);
  }

  toggle(label: string): Promise<void> {
    return this.#hands.toggle(this.#labelled(label));
  }

  choose(list: Locator, option: string): Promise<void> {
    return this.#hands.choose(list, option);
  }

  /** In the dialog. */
  confirm(name: string): Promise<void> {
    return this.#hands.press(this.page.getByRole('alertdialog').getByRole('button', { name }));
  }

  arriveAt(pattern: string): Promise<void> {
    return this.page.waitForURL(`**/console/t/${this.tenant.id}${pattern}`);
  }

  async close(): Promise<void> {
    await this.#operator.context.close();
    await this.keywright.close();
  }

  /** A hint belongs to most labels, and those that are exact have others that contain them. */
  #labelled(label: string): Locator {
    return this.page.getByLabel(label, {
      exact: /^(Name|Redirect URIs|\w+:\w+|\w+\.\w+)$/.test(label),
    });
  }
}

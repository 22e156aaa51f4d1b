// An operator at the console of the real service: with a mouse on PostgreSQL, or with a keyboard alone on the embedded database.

import type { Browser, Locator, Page } from 'playwright-core';
import type { JsonBody } from '../harness/http.ts';
import { type Keywright, type KeywrightOptions, startKeywright } from '../harness/keywright.ts';
import type { Credentials, TenantOverrides, TestTenant, TestUser } from '../harness/tenant.ts';
import { CountingHands, type Hands, keyboard, mouse } from './hands.ts';
import { enterConsole, type Operator } from './operator.ts';
import { Traffic } from './traffic.ts';

/** Each journey on both databases, and with both kinds of hands. */
export const OPERATORS = [
  { title: 'with a mouse, on PostgreSQL', engine: 'postgres', take: mouse },
  { title: 'with a keyboard alone, on the embedded database', engine: 'pglite', take: keyboard },
] as const;

interface Options extends Pick<KeywrightOptions, 'outside' | 'env'> {
  readonly engine?: 'postgres' | 'pglite';
  readonly take?: (page: Page) => Hands;
  /** The slug of the tenant, unless it is the default tenant. */
  readonly slug?: string;
  readonly overrides?: TenantOverrides;
}

/** Who works there. */
interface Seat {
  readonly tenant: TestTenant;
  readonly person: Credentials & Partial<TestUser>;
}

export class Desk {
  readonly keywright: Keywright;
  readonly tenant: TestTenant;
  readonly person: Seat['person'];
  /** What the person does, counted. */
  readonly hands: CountingHands;
  readonly #operator: Operator;

  private constructor(keywright: Keywright, seat: Seat, operator: Operator, hands: Hands) {
    this.keywright = keywright;
    this.tenant = seat.tenant;
    this.person = seat.person;
    this.#operator = operator;
    this.hands = new CountingHands(hands);
  }

  /** Starts the service, with an administrator who is logged in to the console of a tenant. */
  static async open(browser: Browser, options: Options = {}): Promise<Desk> {
    const { engine = 'postgres', take = mouse, slug = 'journeys', overrides } = options;
    const { env = { KEYWRIGHT_EGRESS_ALLOW: '127.0.0.1' }, outside = {} } = options;
    const environment = { KEYWRIGHT_BASE_URL: undefined, ...env };
    const keywright = await startKeywright({ engine, env: environment, outside });
    // The shortcut for creating further tenants in tests requires PostgreSQL.
    const isHome = engine === 'pglite';
    const tenant = isHome ? keywright.home : await keywright.tenant(slug, overrides);
    const person = isHome ? keywright.admin : await tenant.createUser({ roles: ['admin'] });
    return Desk.#enter(browser, keywright, { tenant, person }, take);
  }

  static async #enter(
    browser: Browser,
    keywright: Keywright,
    seat: Seat,
    take: (page: Page) => Hands,
  ): Promise<Desk> {
    const origin = keywright.nodes[0]?.baseUrl ?? '';
    const operator = await enterConsole(browser, { ...seat, origin });
    return new Desk(keywright, seat, operator, take(operator.page));
  }

  /** Another user of the same service, with a mouse and their own browser. */
  openFor(person: Credentials, tenant = this.tenant): Promise<Desk> {
    const browser = this.page.context().browser();
    if (!browser) throw new Error('The browser is closed.');
    return Desk.#enter(browser, this.keywright, { tenant, person }, mouse);
  }

  get page(): Page {
    return this.#operator.page;
  }

  /** Where the service is. */
  get origin(): string {
    return this.keywright.nodes[0]?.baseUrl ?? '';
  }

  /** Opens a screen of the tenant. */
  open(path: string): Promise<void> {
    return this.#operator.open(path);
  }

  press(name: string | Locator): Promise<void> {
    const isName = typeof name === 'string';
    return this.hands.press(isName ? this.page.getByRole('button', { name, exact: true }) : name);
  }

  /** Chooses an action in the menu of the screen. */
  async act(name: string): Promise<void> {
    await this.press('More actions');
    await this.hands.pick(this.page.getByRole('menuitem', { name, exact: true }));
  }

  /** Chooses an action in the menu of a row. */
  async actOn(row: Locator, name: string): Promise<void> {
    await this.press(row.getByRole('button', { name: /^Actions for / }));
    await this.hands.pick(this.page.getByRole('menuitem', { name, exact: true }));
  }

  /** Sets a filter of the list. @param value the name of a choice */
  async filter(property: string, value: string): Promise<void> {
    await this.press('Filter');
    await this.press(this.dialog().getByRole('button', { name: property, exact: true }));
    await this.page.getByRole('option', { name: value, exact: true }).click();
  }

  type(field: string | Locator, text: string): Promise<void> {
    const isLabel = typeof field === 'string';
    return this.hands.type(isLabel ? this.#labeled(field) : field, text);
  }

  toggle(label: string): Promise<void> {
    return this.hands.toggle(this.#labeled(label));
  }

  choose(list: Locator, option: string): Promise<void> {
    return this.hands.choose(list, option);
  }

  dialog(): Locator {
    return this.page.getByRole('alertdialog').or(this.page.getByRole('dialog'));
  }

  /** In the dialog. */
  confirm(name: string): Promise<void> {
    return this.hands.press(this.dialog().getByRole('button', { name, exact: true }));
  }

  /**
   * Waits for the URL and for the screen: the URL changes first, and the previous screen can have a field of the same
   * name.
   */
  async waitForPath(pattern: string): Promise<void> {
    await this.page.waitForURL(`**/console/t/${this.tenant.id}${pattern}`);
    await Traffic.of(this.page).settle();
  }

  /** The ID at the end of the page's path, once the URL matches. */
  async idIn(pattern: RegExp): Promise<string> {
    await this.page.waitForURL(pattern);
    return new URL(this.page.url()).pathname.split('/').at(-1) ?? '';
  }

  /** Calls the API as an administrator. */
  async request<Body = JsonBody>(method: string, path: string, body?: object) {
    const token = await this.tenant.adminToken();
    return this.tenant.request<Body>(method, path, { token, ...(body && { body }) });
  }

  /** Takes the browser's errors since the last call. */
  complaints(): string[] {
    return this.#operator.complaints();
  }

  async close(): Promise<void> {
    await this.#operator.context.close();
    await this.keywright.close();
  }

  /** Most labels include a hint. The exact ones are contained in other labels. */
  #labeled(label: string): Locator {
    return this.page.getByLabel(label, {
      exact: /^(Name|Redirect URIs|\w+:\w+|\w+\.\w+)$/.test(label),
    });
  }
}

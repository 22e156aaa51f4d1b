// The pending requests of a page.

import type { Page, Request } from 'playwright-core';
import { until } from '../harness/until.ts';

/** A stream is under way for as long as its screen is open. */
export const isStream = (url: string): boolean => url.includes('/events/stream');

const DRAWN = 'new Promise((done) => requestAnimationFrame(() => setTimeout(done)))';
/** Present once a screen is rendered, in any state. */
const SHOWN = 'main h1, main [aria-busy=true], main [role=alert]';

export class Traffic {
  static readonly #byPage = new WeakMap<Page, Traffic>();
  readonly #page: Page;
  readonly #open = new Set<Request>();

  /** The traffic of a page, counted from the first call. */
  static of(page: Page): Traffic {
    const traffic = Traffic.#byPage.get(page) ?? new Traffic(page);
    Traffic.#byPage.set(page, traffic);
    return traffic;
  }

  private constructor(page: Page) {
    this.#page = page;
    page.on('request', (request) => {
      if (!isStream(request.url())) this.#open.add(request);
    });
    page.on('requestfinished', (request) => this.#open.delete(request));
    page.on('requestfailed', (request) => this.#open.delete(request));
  }

  /** Loads a screen of the console, and waits until it is still. @param pending see `settle` */
  async load(address: string, pending?: () => number): Promise<void> {
    this.#open.clear();
    await this.#page.goto(address, { waitUntil: 'load' });
    await this.settleShown(pending);
  }

  /** Waits until the screen of a new document is shown and still. Before it is shown, it has not sent its requests. */
  async settleShown(pending?: () => number): Promise<void> {
    await this.#page.locator(SHOWN).first().waitFor({ state: 'attached' });
    await this.settle(pending);
  }

  /**
   * Waits until nothing is under way, and everything is drawn.
   * @param pending how many of the requests under way will not be answered yet
   */
  async settle(pending = () => 0): Promise<void> {
    const isStill = () => this.#open.size === pending();
    await until('nothing is under way', async () => {
      return isStill() && (await this.#isDrawn()) && (await this.#isDrawn()) && isStill();
    });
  }

  /** False if the page navigated away while it was drawn. */
  async #isDrawn(): Promise<boolean> {
    try {
      await this.#page.evaluate(DRAWN);
      return true;
    } catch (error) {
      if (String(error).includes('Execution context was destroyed')) return false;
      throw error;
    }
  }

  /** Also waits until nothing is loading, because a stream responds at any time. */
  async settleWholly(): Promise<void> {
    await this.settle();
    const busy = this.#page.locator('main [aria-busy=true]');
    await until('everything is there', async () => (await busy.count()) === 0);
  }
}

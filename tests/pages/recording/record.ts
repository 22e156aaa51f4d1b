// The recording of the README: a session is ended in the console, and services that verify offline reject its token.

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { UserRecord } from '@keywright/contract/records/user';
import type { Browser, CDPSession, Locator, Page } from 'playwright-core';
import { launchBrowser } from '../../conformance/browser.ts';
import { enterConsole } from '../../console/operator.ts';
import { Traffic } from '../../console/traffic.ts';
import { newPassword } from '../../harness/credentials.ts';
import { expectStatus } from '../../harness/http.ts';
import { type Keywright, startKeywright } from '../../harness/keywright.ts';
import { until } from '../../harness/until.ts';
import { type Service, startService } from './services.ts';
import { CONSOLE, type Pane, STAGE, stageOf } from './stage.ts';
import { animate, type Frame } from './webp.ts';

const ADA = 'ada@acme.example';
const BROWSER = 'Mozilla/5.0 (X11; Linux x64) AppleWebKit/537.36 Chrome/140.0.0.0 Safari/537.36';
const FRAME_MS = 250;
const QUALITY = 45;
const LONGEST_REVOCATION_MS = 2000;
const SERVICES = [
  { name: 'reports', verifies: 'verifies offline, Keywright SDK', kind: 'sdk' },
  { name: 'billing', verifies: 'verifies offline, Keywright SDK', kind: 'sdk' },
  { name: 'legacy', verifies: 'plain JWT library', kind: 'jose' },
] as const;

/** Writes the animation and a still picture of its end. @returns their paths @throws if there is no browser */
export async function record(folder: string): Promise<readonly string[]> {
  const browser = await launchBrowser();
  if (!browser) throw new Error('Chromium is not installed.');
  const keywright = await startKeywright({ env: { KEYWRIGHT_BASE_URL: undefined } });
  try {
    const { frames, still } = await recordIn(browser, keywright);
    const [film, picture] = [join(folder, 'revocation.webp'), join(folder, 'revocation.png')];
    await writeFile(film, animate(frames, STAGE));
    await writeFile(picture, still);
    return [film, picture];
  } finally {
    await browser.close();
    await keywright.close();
  }
}

async function recordIn(browser: Browser, keywright: Keywright) {
  const tenant = await keywright.tenant('acme', { name: 'Acme Robotics' });
  const body = { identifier: ADA, name: 'Ada Lovelace', password: newPassword() };
  const { id } = expectStatus(
    201,
    await tenant.request<UserRecord>('POST', '/users', { token: await tenant.adminToken(), body }),
  );
  const agent = { headers: { 'user-agent': BROWSER } };
  const { access_token: token } = await tenant.login(ADA, body.password, agent);
  const person = await tenant.createUser({ identifier: 'admin@acme.example', roles: ['admin'] });
  const origin = keywright.nodes[0]?.baseUrl ?? '';
  const operator = await enterConsole(browser, { tenant, person, origin });
  await operator.page.setViewportSize(CONSOLE);
  await operator.open(`/users/${id}`);
  const issuer = `${origin}/t/${tenant.id}`;
  const services = await Promise.all(SERVICES.map(({ kind }) => startService(kind, issuer)));
  const film = await Film.start(browser, operator.page, services, token);
  try {
    return await play(film, operator.page);
  } finally {
    await Promise.all(services.map((service) => service.close()));
  }
}

async function play(film: Film, page: Page) {
  film.caption = 'Ada is signed in. Three services accept her token.';
  await film.roll(3000);
  film.caption = 'An administrator ends her session.';
  await film.click(
    page.getByRole('listitem').getByRole('button', { name: 'Sign out', exact: true }),
  );
  await film.roll(1500);
  const ending = page.waitForRequest((request) => request.method() === 'DELETE');
  void ending.then(() => film.end());
  await film.click(
    page.getByRole('alertdialog').getByRole('button', { name: 'Sign out', exact: true }),
  );
  await film.rollUntilRejected();
  film.caption = 'Offline services reject it within two seconds. A plain JWT library does not.';
  await film.roll(5000);
  return film.cut();
}

/** Composes what the console and the services show into frames. */
class Film {
  caption = '';
  readonly #page: Page;
  readonly #stage: Page;
  readonly #camera: CDPSession;
  readonly #services: readonly Service[];
  readonly #token: string;
  readonly #frames: Frame[] = [];
  readonly #lines: { at: string; status: number }[][] = SERVICES.map(() => []);
  readonly #rejectedAfter: (number | undefined)[] = SERVICES.map(() => undefined);
  #pointer: { x: number; y: number } | undefined;
  #endedAt: number | undefined;

  private constructor(
    page: Page,
    stage: Page,
    camera: CDPSession,
    services: readonly Service[],
    token: string,
  ) {
    this.#page = page;
    this.#stage = stage;
    this.#camera = camera;
    this.#services = services;
    this.#token = token;
  }

  static async start(browser: Browser, page: Page, services: readonly Service[], token: string) {
    const stage = await browser.newPage({ viewport: STAGE });
    const camera = await stage.context().newCDPSession(stage);
    return new Film(page, stage, camera, services, token);
  }

  /** Records for this long. */
  async roll(milliseconds: number): Promise<void> {
    const end = performance.now() + milliseconds;
    while (performance.now() < end) await this.#take();
  }

  /** Shows the pointer on a button, and presses it. */
  async click(button: Locator): Promise<void> {
    const box = await button.boundingBox();
    if (box) this.#pointer = { x: box.x + box.width / 2, y: box.y + box.height / 2 };
    await this.roll(1000);
    await button.click();
  }

  /** The console sends the request that ends the session. */
  end(): void {
    this.#endedAt = performance.now();
    this.#pointer = undefined;
  }

  /** @throws if a service that follows revocations still accepts the token after two seconds */
  async rollUntilRejected(): Promise<void> {
    await until(
      'both services reject the token',
      async () => {
        await this.#take();
        return SERVICES.every(
          ({ kind }, index) => kind === 'jose' || this.#rejectedAfter[index] !== undefined,
        );
      },
      LONGEST_REVOCATION_MS,
    );
  }

  async cut(): Promise<{ readonly frames: readonly Frame[]; readonly still: Buffer }> {
    await Traffic.of(this.#page).settle();
    return { frames: this.#frames, still: await this.#stage.screenshot() };
  }

  async #take(): Promise<void> {
    const start = performance.now();
    const [picture] = await Promise.all([
      this.#page.screenshot({ type: 'png' }),
      ...this.#services.map((service, index) => this.#call(service, index)),
    ]);
    const source = `data:image/png;base64,${picture.toString('base64')}`;
    const panes = SERVICES.map((_, index) => this.#pane(index));
    const scene = { caption: this.caption, picture: source, pointer: this.#pointer, panes };
    await this.#stage.setContent(stageOf(scene));
    const { data } = await this.#camera.send('Page.captureScreenshot', {
      format: 'webp',
      quality: QUALITY,
    });
    const rest = FRAME_MS - (performance.now() - start);
    if (rest > 0) await this.#stage.waitForTimeout(rest);
    const milliseconds = performance.now() - start;
    this.#frames.push({ picture: Buffer.from(data, 'base64'), milliseconds });
  }

  async #call(service: Service, index: number): Promise<void> {
    const status = await service.call(this.#token);
    const at = new Date().toISOString().slice(11, 21);
    this.#lines[index]?.push({ at, status });
    if (status === 401 && this.#endedAt !== undefined)
      this.#rejectedAfter[index] ??= performance.now() - this.#endedAt;
  }

  #pane(index: number): Pane {
    const { name = '', verifies = '', kind = 'sdk' } = SERVICES[index] ?? {};
    const after = this.#rejectedAfter[index];
    const isOver = this.#endedAt !== undefined;
    const remark =
      after === undefined
        ? kind === 'jose' && isOver
          ? 'Still accepts the token'
          : 'Accepts the token'
        : `Rejected ${(after / 1000).toFixed(1)} s after “Sign out”`;
    const tone = after !== undefined ? 'rejected' : kind === 'jose' && isOver ? 'late' : 'accepted';
    return { name, verifies, lines: this.#lines[index] ?? [], remark, tone };
  }
}

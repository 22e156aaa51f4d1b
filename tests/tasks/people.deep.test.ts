// The tasks of people on the hosted pages, with the presses and fields that each of them takes. The maxima are those of
// earlier pages.

import { after, before, describe, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { launchBrowser } from '../conformance/browser.ts';
import { CountingHands, mouse } from '../console/hands.ts';
import { registerClient } from '../harness/application.ts';
import { Authenticator } from '../harness/authenticator.ts';
import { consent } from '../harness/consent.ts';
import { newIdentifier, newPassword } from '../harness/credentials.ts';
import { expectStatus } from '../harness/http.ts';
import { type Keywright, startKeywright } from '../harness/keywright.ts';
import { fillInLogin } from '../harness/login-pages.ts';
import { type MailSink, startMailSink } from '../harness/mail-sink.ts';
import { mailedTo, mailThrough } from '../harness/mailed.ts';
import type { TestTenant, TestUser } from '../harness/tenant.ts';
import { expectAtMost } from './effort.ts';

const browser = await launchBrowser();

/** A person in a browser of their own. */
interface Seat {
  readonly page: Page;
  readonly hands: CountingHands;
  readonly press: (action: string) => Promise<void>;
  readonly type: (selector: string, text: string) => Promise<void>;
  /** Opens a section of the account page by its link. */
  readonly section: (name: string) => Promise<void>;
}

describe(
  'a task of a person on the hosted pages',
  { skip: browser ? false : 'Chromium is not installed.' },
  () => {
    let keywright: Keywright;
    let tenant: TestTenant;
    let sink: MailSink;

    before(async () => {
      sink = await startMailSink();
      const env = { ...mailThrough(sink), KEYWRIGHT_BASE_URL: undefined };
      keywright = await startKeywright({ env });
      const config = {
        allow_registration: true,
        allow_account_deletion: true,
        notify_new_device: false,
      };
      tenant = await keywright.tenant('tasks', { config });
    });
    after(async () => {
      await browser?.close();
      await keywright.close();
      await sink.close();
    });

    const account = () => `${keywright.nodes[0]?.baseUrl ?? ''}/t/${tenant.id}/account`;

    /** Opens the login page of an application; the account page is one. */
    async function arrive(): Promise<Seat> {
      const context = await (browser as Browser).newContext();
      const page = await context.newPage();
      await page.goto(account());
      const hands = new CountingHands(mouse());
      return {
        page,
        hands,
        press: (action) => hands.press(page.locator(`button[value="${action}"]`).first()),
        type: (selector, text) => hands.type(page.locator(selector), text),
        section: (name) =>
          hands.press(page.getByRole('navigation').getByRole('link', { name }).first()),
      };
    }

    async function arriveAs(person: TestUser): Promise<Seat> {
      const seat = await arrive();
      await fillInLogin(seat.page, person);
      await isIn(seat);
      return seat;
    }

    const isIn = ({ page }: Seat) => page.getByRole('navigation', { name: 'Sections' }).waitFor();

    async function createVerified(): Promise<TestUser> {
      const person = await tenant.createUser();
      const body = { identifiers: [{ identifier: person.identifier, verified: true }] };
      const token = await tenant.adminToken();
      const path = `/users/${person.user.id}`;
      expectStatus(200, await tenant.request('PATCH', path, { token, body }));
      return person;
    }

    test('A person creates an account in 3 presses and 2 fields', async (t) => {
      const address = newIdentifier();
      const seat = await arrive();
      await seat.press('begin_registration');
      await seat.type('#identifier', address);
      await seat.press('send_registration');
      await seat.type('input[name="code"]', (await mailedTo(sink, address)).code);
      await seat.press('code');
      await isIn(seat);
      expectAtMost(t, seat.hands.takeEffort(), 5);
      await seat.page.context().close();
    });

    test('A person adds a passkey in 3 presses, and signs in with it in 1', async (t) => {
      const seat = await arriveAs(await createVerified());
      await Authenticator.addTo(seat.page);
      await seat.section('Security');
      await seat.press('add_passkey');
      await seat.hands.press(seat.page.locator('#codes-continue'));
      await isIn(seat);
      expectAtMost(t, seat.hands.takeEffort(), 3);
      await seat.press('logout');
      seat.hands.takeEffort();
      await seat.hands.press(seat.page.locator('#passkey'));
      await isIn(seat);
      expectAtMost(t, seat.hands.takeEffort(), 1);
      await seat.page.context().close();
    });

    test('A person who forgot their password chooses a new one in 4 presses and 3 fields', async (t) => {
      const { identifier } = await createVerified();
      const seat = await arrive();
      await seat.press('begin_recovery');
      await seat.type('#identifier', identifier);
      await seat.press('send_recovery');
      await seat.type('input[name="code"]', (await mailedTo(sink, identifier)).code);
      await seat.press('code');
      await seat.type('#secret', newPassword());
      await seat.press('new_password');
      await isIn(seat);
      expectAtMost(t, seat.hands.takeEffort(), 7);
      await seat.page.context().close();
    });

    test('A person ends their other sessions in 2 presses', async (t) => {
      const person = await createVerified();
      const seat = await arriveAs(person);
      await seat.section('Devices');
      await seat.press('end_others');
      await seat.page.getByRole('status').first().waitFor();
      expectAtMost(t, seat.hands.takeEffort(), 2);
      const me = await tenant.request('GET', '/me', { token: person.token });
      expectStatus(401, me);
      await seat.page.context().close();
    });

    test('A person ends the access of an application in 2 presses', async (t) => {
      const person = await createVerified();
      const clientId = await registerClient(tenant, { name: 'Robot Shop' });
      await consent(keywright, tenant.id, { userId: person.user.id, clientId });
      const seat = await arriveAs(person);
      await seat.section('Apps');
      await seat.press('end_app');
      await seat.page.getByText('Robot Shop').waitFor({ state: 'detached' });
      expectAtMost(t, seat.hands.takeEffort(), 2);
      await seat.page.context().close();
    });

    test('A person changes the language in 2 presses and 1 field', async (t) => {
      const seat = await arriveAs(await createVerified());
      await seat.section('Profile');
      await seat.hands.choose(seat.page.locator('select[name="locale"]'), 'Deutsch');
      await seat.press('save_profile');
      await seat.page.getByRole('heading', { name: 'Profil', exact: true }).waitFor();
      expectAtMost(t, seat.hands.takeEffort(), 3);
      await seat.page.context().close();
    });

    test('A person changes their email in 5 presses and 2 fields', async (t) => {
      const person = await createVerified();
      const address = newIdentifier();
      const seat = await arriveAs(person);
      await seat.section('Emails and phones');
      await seat.type('#identifier', address);
      await seat.press('send');
      await seat.type('input[name="code"]', (await mailedTo(sink, address)).code);
      await seat.press('verify');
      await seat.press('make_primary');
      const old = seat.page.getByRole('group', { name: person.identifier });
      await seat.hands.press(old.getByText('Remove'));
      await old.waitFor({ state: 'detached' });
      expectAtMost(t, seat.hands.takeEffort(), 7);
      await seat.page.context().close();
    });

    test('A person deletes their account in 2 presses and 1 field', async (t) => {
      const person = await createVerified();
      const seat = await arriveAs(person);
      await seat.section('Data');
      await seat.type('#identifier', person.identifier);
      await seat.press('delete_account');
      await seat.page.getByRole('heading', { name: 'Your account was deleted' }).waitFor();
      expectAtMost(t, seat.hands.takeEffort(), 3);
      await seat.page.context().close();
    });
  },
);

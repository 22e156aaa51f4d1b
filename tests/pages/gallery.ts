// Every page of the service, in all its states, with the texts that others can set.

import type { ClientBranding } from '@keywright/contract/records/branding';
import { registerClient } from '../harness/application.ts';
import { expectStatus } from '../harness/http.ts';
import { mailedTo } from '../harness/mailed.ts';
import { RelyingParty } from '../harness/relying-party.ts';
import type { TestTenant } from '../harness/tenant.ts';
import { enrollTotp } from '../harness/totp.ts';
import { addProvider } from '../harness/upstream.ts';
import { newPkce, type Seen, Visitor } from '../harness/visitor.ts';
import { walkAccount } from './gallery-account.ts';
import { walkConsents } from './gallery-consents.ts';
import { walkDevices } from './gallery-devices.ts';
import { walkInvitations, walkUndos } from './gallery-invitation.ts';
import type { Texts } from './texts.ts';
import type { Gallery, Shown, World } from './world.ts';

const ABOUT = 'https://app.example.com/';
const CALLBACK = 'https://app.example.com/callback';
const BASE = 'https://id.example.com';

export async function walkGallery(world: World): Promise<Gallery> {
  const walk = await Walk.start(world);
  await walk.startPages();
  await walk.layouts();
  await walk.messages();
  await walk.factors();
  await walk.providers();
  await walk.consent();
  await walk.consents();
  await walk.devices();
  await walk.invitations();
  await walk.undos();
  await walk.home();
  await walk.firstLogin();
  await walk.ends();
  await walk.account();
  return walk.pages;
}

class Walk {
  readonly pages = new Map<string, Shown>();
  #addresses = 0;
  readonly #world: World;
  readonly #tenant: TestTenant;
  readonly #providerId: string;
  readonly #clients: Readonly<Record<'first' | 'third', string>>;

  private constructor(
    world: World,
    tenant: TestTenant,
    providerId: string,
    clients: Readonly<Record<'first' | 'third', string>>,
  ) {
    this.#world = world;
    this.#tenant = tenant;
    this.#providerId = providerId;
    this.#clients = clients;
  }

  static async start(world: World): Promise<Walk> {
    const { keywright, provider, texts, slug } = world;
    const config = {
      allow_registration: true,
      allow_account_deletion: true,
      login_attempts_limit: 10_000,
      oauth_client_domains: [texts.host],
    };
    const tenant = await keywright.tenant(slug, { name: texts.tenant, config });
    await world.furnish?.(tenant);
    await brand(tenant, texts);
    const { id } = await addProvider(tenant, provider, { name: texts.provider });
    const fields = { name: texts.client, redirect_uris: [CALLBACK], scopes: SCOPES };
    const first = await registerClient(tenant, { ...fields, first_party: true });
    const third = await registerClient(tenant, {
      ...fields,
      policy_uri: `${ABOUT}privacy${texts.query}`,
      tos_uri: `${ABOUT}terms${texts.query}`,
      contacts: ['help@app.example.com'],
    });
    return new Walk(world, tenant, id, { first, third });
  }

  /** Keeps the browser's current page, or the page that a step leads to. */
  async #keep(name: string, browser: Visitor, step?: Promise<Seen>): Promise<void> {
    await step;
    const cookie = [...browser.cookies].map((pair) => pair.join('=')).join('; ');
    this.pages.set(name, { seen: browser.seen, cookie, tenant: this.#tenant });
  }

  #newBrowser(tenant = this.#tenant): Visitor {
    const { texts, locale = 'en' } = this.#world;
    const headers = { 'user-agent': texts.device, 'accept-language': locale };
    return new Visitor(tenant, `${BASE}/t/${tenant.id}`, headers);
  }

  async #authorize(
    more: Readonly<Record<string, string>> = {},
    browser = this.#newBrowser(),
  ): Promise<Visitor> {
    await browser.authorize({
      client_id: this.#clients.first,
      redirect_uri: CALLBACK,
      response_type: 'code',
      scope: SCOPES.join(' '),
      state: this.#world.texts.state,
      code_challenge: newPkce().challenge,
      code_challenge_method: 'S256',
      ...more,
    });
    return browser;
  }

  /** The same in each walk of the world, so that two pictures of a page can be compared. */
  #newAddress(): string {
    const { texts, slug } = this.#world;
    this.#addresses += 1;
    return `${texts.local}+${slug}.${this.#addresses}@example.com`;
  }

  #createUser() {
    return this.#tenant.createUser({ identifier: this.#newAddress() });
  }

  async startPages(): Promise<void> {
    const { typed } = this.#world.texts;
    await this.#keep('startView', await this.#authorize());
    await this.#keep('startView hinted', await this.#authorize({ login_hint: typed }));
    const browser = await this.#authorize();
    const failed = browser.press('login', { identifier: typed, secret: 'a guess' });
    await this.#keep('startView failed', browser, failed);
    for (const action of ['begin_code', 'begin_recovery', 'begin_registration']) {
      const visitor = await this.#authorize();
      await this.#keep(`identifierView ${action}`, visitor, visitor.press(action));
    }
    const codeBrowser = await this.#authorize();
    await codeBrowser.press('begin_code');
    const refused = codeBrowser.press('send_code', { identifier: typed });
    await this.#keep('identifierView failed', codeBrowser, refused);
    await this.#keep('registrationView', await this.#registering());
  }

  /** Each layout, as the branding of an application. */
  async layouts(): Promise<void> {
    const token = await this.#tenant.adminToken();
    for (const [name, settings] of Object.entries(LAYOUTS)) {
      const { client } = this.#world.texts;
      const fields = { name: client, redirect_uris: [CALLBACK], scopes: SCOPES };
      const client_id = await registerClient(this.#tenant, fields);
      const path = `/clients/${client_id}/branding`;
      expectStatus(200, await this.#tenant.request('PATCH', path, { token, body: { settings } }));
      await this.#keep(`startView ${name}`, await this.#authorize({ client_id }));
    }
  }

  /** Where no email is sent, an account starts with its password. */
  async #registering(): Promise<Visitor> {
    const { keywright, slug, texts } = this.#world;
    const config = { allowed_login_methods: ['password' as const], allow_registration: true };
    const options = { name: texts.tenant, config };
    const tenant = await keywright.tenant(`${slug}-passwords`, options);
    await this.#world.furnish?.(tenant);
    const fields = { name: texts.client, redirect_uris: [CALLBACK] };
    const client_id = await registerClient(tenant, fields);
    return this.#authorize({ client_id, prompt: 'create' }, this.#newBrowser(tenant));
  }

  async messages(): Promise<void> {
    const { sink } = this.#world;
    const { identifier } = await this.#createUser();
    const browser = await this.#authorize();
    await this.#keep('stepsView code', browser, browser.press('send_code', { identifier }));
    const wrong = browser.press('code', { code: '00000000' });
    await this.#keep('stepsView code failed', browser, wrong);
    const { mail } = await mailedTo(sink, identifier);
    const [link = ''] = /\/t\/\S+link_token=\S+/.exec(mail.parsed.text ?? '') ?? [];
    await this.#keep('linkView', browser, browser.open(link));
    const other = this.#newBrowser();
    await this.#keep('elsewhereView', other, other.open(link));
    const ended = other.open(link.replace(/link_token=.*/, 'link_token=another'));
    await this.#keep('endedLinkView', other, ended);
    const recovering = await this.#authorize();
    const user = await this.#createUser();
    await recovering.press('send_recovery', { identifier: user.identifier });
    const { code } = await mailedTo(sink, user.identifier);
    await this.#keep('stepsView new password', recovering, recovering.press('code', { code }));
  }

  async factors(): Promise<void> {
    const passkeyBrowser = await this.#authorize();
    await this.#keep('passkeyView', passkeyBrowser, passkeyBrowser.press('passkey'));
    const user = await this.#createUser();
    const { identifier, password: secret } = user;
    const { codes } = await enrollTotp(this.#tenant, user.token, { now: () => new Date() });
    const browser = await this.#authorize();
    await this.#keep('stepsView second', browser, browser.press('login', { identifier, secret }));
    const used = browser.press('recovery_code', { code: codes[0] ?? '' });
    await this.#keep('codesView', browser, used);
    const newcomer = await this.#createUser();
    await this.#verify(newcomer.identifier);
    const enrolling = await this.#authorize({ acr_values: 'aal2' });
    const typed = { identifier: newcomer.identifier, secret: newcomer.password };
    await this.#keep('stepsView confirm address', enrolling, enrolling.press('login', typed));
    await enrolling.press('send');
    const { code } = await mailedTo(this.#world.sink, newcomer.identifier);
    await this.#keep('stepsView enroll', enrolling, enrolling.press('code', { code }));
    const shown = enrolling.seen;
    await this.#keep('totpView', enrolling, enrolling.press('enroll'));
    enrolling.goBackTo(shown);
    await this.#keep('newPasskeyView', enrolling, enrolling.press('enroll_passkey'));
  }

  async #verify(identifier: string): Promise<void> {
    await this.#world.keywright.database.query(
      'UPDATE user_identifiers SET verified = true WHERE tenant_id = $1 AND identifier = $2',
      [this.#tenant.id, identifier],
    );
  }

  async providers(): Promise<void> {
    const { provider } = this.#world;
    const { identifier: email } = await this.#createUser();
    await this.#verify(email);
    const browser = await this.#authorize();
    const leaving = browser.press('provider', { provider: this.#providerId });
    await this.#keep('providerRedirectView', browser, leaving);
    const person = { sub: email, email, email_verified: true };
    const back = provider.authorize(String(browser.seen.redirectsTo), person);
    const returned = browser.open(back.pathname + back.search);
    await this.#keep('stepsView linking', browser, returned);
  }

  async consent(): Promise<void> {
    const { identifier, password: secret } = await this.#createUser();
    const browser = await this.#authorize({ client_id: this.#clients.third });
    await this.#keep('consentView', browser, browser.press('login', { identifier, secret }));
    await this.#keep('redirectView', browser, browser.press('allow'));
    await this.#keep('accountView', await this.#authorize({ prompt: 'select_account' }, browser));
    await this.#keep('startView confirming', await this.#authorize({ prompt: 'login' }, browser));
    await this.#keep(
      'formPostView',
      await this.#authorize({ response_mode: 'form_post' }, browser),
    );
  }

  async ends(): Promise<void> {
    const { identifier, password: secret } = await this.#createUser();
    const browser = await this.#authorize();
    await browser.press('login', { identifier, secret });
    const path = `/t/${this.#tenant.id}/oauth/logout`;
    await this.#keep('logoutView', browser, browser.open(path));
    await this.#keep('stayedView', browser, browser.press('stay'));
    await browser.open(path);
    await this.#keep('loggedOutView', browser, browser.press('logout'));
    await this.#keep('loggedOutView told', await this.#leavingApplications());
    await this.#keep('errorPage', await this.#authorize({ client_id: this.#world.texts.typed }));
    await this.#keep(
      'parts',
      browser,
      browser.open(`/dev/parts?locale=${this.#world.locale ?? 'en'}`),
    );
  }

  /** Logs out of an application that does not respond, and of one that is not notified. */
  async #leavingApplications(): Promise<Visitor> {
    const { texts } = this.#world;
    const user = await this.#createUser();
    const issuer = `${BASE}/t/${this.#tenant.id}`;
    const apps = await Promise.all(
      [null, 'http://127.0.0.1:1/unknown'].map((uri) => {
        const fields = { name: texts.client, backchannel_logout_uri: uri };
        return RelyingParty.register(this.#tenant, { issuer, fields });
      }),
    );
    const browser = this.#newBrowser();
    for (const app of apps) await app.logIn(browser, user);
    await browser.open(`/t/${this.#tenant.id}/oauth/logout`);
    await browser.press('logout');
    return browser;
  }

  /** What the parts of the walk in other files need. */
  #walking() {
    return {
      world: this.#world,
      tenant: this.#tenant,
      newBrowser: () => this.#newBrowser(),
      newAddress: () => this.#newAddress(),
      createUser: (roles?: readonly string[]) =>
        this.#tenant.createUser({ identifier: this.#newAddress(), ...(roles && { roles }) }),
      keep: (name: string, browser: Visitor, step?: Promise<Seen>) =>
        this.#keep(name, browser, step),
    };
  }

  consents(): Promise<void> {
    const authorize = (parameters: Readonly<Record<string, string>>, browser?: Visitor) =>
      this.#authorize(parameters, browser);
    return walkConsents({ ...this.#walking(), authorize });
  }

  devices(): Promise<void> {
    return walkDevices(this.#walking(), SCOPES);
  }

  async home(): Promise<void> {
    const browser = this.#newBrowser();
    await this.#keep('homeView', browser, browser.open('/'));
  }

  /** The default tenant's alone. */
  async firstLogin(): Promise<void> {
    const { keywright, locale = 'en' } = this.#world;
    const { identifier, password: secret } = keywright.admin;
    const token = keywright.nodes[0]?.firstLogin.draw({ identifier, secret });
    const browser = new Visitor(keywright.home, BASE, { 'accept-language': locale });
    const path = `/console/first-login?token=${token}`;
    await this.#keep('firstLoginView', browser, browser.open(path));
    await this.#keep('endedFirstLoginView', browser, browser.open(`${path}A`));
  }

  invitations(): Promise<void> {
    return walkInvitations(this.#walking());
  }

  undos(): Promise<void> {
    return walkUndos(this.#walking());
  }

  account(): Promise<void> {
    const allow = (browser: Visitor) =>
      this.#authorize({ client_id: this.#clients.third }, browser);
    return walkAccount({ ...this.#walking(), allow });
  }
}

/** Sets the branding that a tenant shows on each of its pages. */
async function brand(tenant: TestTenant, texts: Texts): Promise<void> {
  const branding = {
    company_name: texts.tenant,
    terms_url: `https://acme.example.com/terms${texts.query}`,
    privacy_url: `https://acme.example.com/privacy${texts.query}`,
    support_email: `${texts.local}@example.com`,
  };
  const options = { token: await tenant.adminToken(), body: { branding } };
  expectStatus(200, await tenant.request('PATCH', `/tenants/${tenant.id}`, options));
}

const [GREEN, YELLOW] = ['#0b6e4f', '#ffe14d'];
const LAYOUTS: Readonly<Record<string, ClientBranding['settings']>> = {
  split: { layout: 'split-start', primary_color: GREEN, headline: 'Every robot, one sign-in.' },
  'split end': { layout: 'split-end', background: 'color', background_color: YELLOW, font: 'lora' },
  plain: {
    layout: 'plain',
    background: 'color',
    primary_color: YELLOW,
    provider_position: 'bottom',
    provider_style: 'icons',
  },
  centered: {
    background: 'gradient',
    primary_color: GREEN,
    logo_position: 'above',
    heading_align: 'center',
  },
  'address first': {
    background: 'color',
    primary_color: GREEN,
    logo_position: 'corner',
    identifier_first: true,
  },
};

const SCOPES = ['openid', 'email', 'profile', 'phone', 'offline_access'];

import { type Html, html } from '../../../platform/http/pages/html.ts';
import type { Texts } from '../../../platform/texts/texts.ts';
import type { Look } from '../brand/index.ts';
import { aside, button, type Carried, form, shell } from './page.ts';

/** What each scope of OpenID Connect lets an application do. */
const MEANINGS = {
  openid: 'scope.openid',
  profile: 'scope.profile',
  email: 'scope.email',
  phone: 'scope.phone',
  offline_access: 'scope.offline_access',
} as const;

const VERBS = {
  read: 'scope.read',
  write: 'scope.write',
  delete: 'scope.delete',
  '*': 'scope.all',
} as const;

/** Something that an application asks for. */
export interface Permission {
  /** Empty: nothing in particular, but tokens that a resource accepts. */
  readonly scope: string;
  /** The resource that it is asked for at, if it is one. */
  readonly at?: string;
  /** Default: by what the scope is. */
  readonly description?: string;
}

/** A field, in the words of the tenant; its values are those of the application. */
export type SaidField = readonly [label: string, values: readonly (string | boolean)[]];

/** Something that is asked for in particular (RFC 9396): its type in the words of the tenant, and what the application says. */
export interface ParticularGrant {
  readonly name: string;
  readonly description: string;
  /** The resource that it is for. */
  readonly at: string;
  readonly fields: readonly SaidField[];
}

interface ConsentPage extends Carried {
  readonly clientName: string;
  readonly tenantName: string;
  readonly identifier: string;
  /** The host that it is verified to be of; `unverified`: it registered itself; undefined: the tenant vouches for it. */
  readonly origin: { readonly host: string } | 'unverified' | undefined;
  /** Where the user returns to, or the device that asks. */
  readonly from: { readonly host: string } | { readonly device: ShownDevice };
  /** Whether the user has allowed the application, but has never returned to this host. */
  readonly isNewAddress: boolean;
  readonly asked: readonly Permission[];
  /** What it has already. */
  readonly known: readonly Permission[];
  readonly particular: readonly ParticularGrant[];
  readonly about: About;
}

/** What the application says of itself. */
interface About {
  readonly policy: string | null;
  readonly terms: string | null;
  readonly contacts: readonly string[];
}

/** What an application asks for: what is new first, and what it has already. */
export function consentView(page: ConsentPage): Html {
  const { clientName, asked, known, tenantName: tenant } = page;
  const { texts } = page.look;
  const who = html`<span class="who">${page.identifier}</span>`;
  const listed = (all: readonly Permission[]) =>
    all.map((one) => html`<li>${meaningOf(one, texts)}</li>`);
  return shell(
    {
      look: page.look,
      title: texts.text('consent.title', { client: clientName }),
      heading: texts.html('consent.title', { client: clientName }),
      lead: texts.html('consent.lead', { identifier: who, tenant }),
    },
    html`
      ${originOf(page)} ${newAddressOf(page)}
      <h2>${texts.text('consent.new')}</h2>
      <ul>
        ${listed(asked)}
      </ul>
      ${particularOf(page.particular, texts)}
      ${
        known.length > 0
          ? html`<h2>${texts.text('consent.known')}</h2>
              <ul>
                ${listed(known)}
              </ul>`
          : undefined
      }
      ${
        'device' in page.from
          ? askingDevice(page.from.device, page.look)
          : html`<p class="hint">${texts.html('consent.host', { host: page.from.host })}</p>`
      }
      ${aboutOf(page, texts)}
      ${form(
        page,
        button('allow', texts.text('consent.allow'), { id: 'consent-allow' }),
        button('deny', texts.text('consent.deny'), { id: 'consent-deny', look: 'second' }),
      )}
      ${aside(page, 'another', texts.text('action.another_account'))}
    `,
  );
}

/** Who asks, as far as it is known for sure: whatever an application calls itself, anybody can. */
function originOf({
  origin,
  look: { texts },
}: Pick<ConsentPage, 'origin' | 'look'>): Html | undefined {
  if (origin === undefined) return undefined;
  if (origin === 'unverified')
    return html`<p class="warn" id="unverified">${texts.text('consent.unverified')}</p>`;
  return html`<p class="hint">${texts.text('consent.run_by')}</p>
    <p class="host" id="verified-host"><bdi>${origin.host}</bdi></p>`;
}

/** Why the user is asked again. */
function newAddressOf({ from, isNewAddress, look: { texts } }: ConsentPage): Html | undefined {
  if (!isNewAddress || 'device' in from) return undefined;
  return html`<p class="warn" id="new-address">
    ${texts.html('consent.new_address', { host: from.host })}
  </p>`;
}

/** What an application says stands apart, each value by itself: it cannot pass for words of the page. */
function particularOf(all: readonly ParticularGrant[], texts: Texts): Html | undefined {
  if (all.length === 0) return undefined;
  const wordOf = (value: string | boolean) =>
    typeof value === 'string' ? value : texts.text(value ? 'consent.yes' : 'consent.no');
  const said = ([label, values]: SaidField) =>
    html`<dt>${label}</dt>
      ${values.map((value) => html`<dd><bdi>${wordOf(value)}</bdi></dd>`)}`;
  return html`<h2>${texts.text('consent.particular')}</h2>
    <ul>
      ${all.map(
        ({ name, description, at, fields }) =>
          html`<li>
            ${texts.html('scope.at', { resource: at, what: name })}<br />${description}
            ${fields.length > 0 ? html`<dl>${fields.map(said)}</dl>` : undefined}
          </li>`,
      )}
    </ul>`;
}

/** Its own pages and addresses: those of the tenant are below. */
function aboutOf({ about, clientName: client }: ConsentPage, texts: Texts): Html | undefined {
  const links = [
    about.terms && html`<a href="${about.terms}">${texts.text('footer.terms')}</a>`,
    about.policy && html`<a href="${about.policy}">${texts.text('footer.privacy')}</a>`,
    ...about.contacts.map((one) => html`<a href="mailto:${one}"><bdi>${one}</bdi></a>`),
  ].filter((link) => link !== null);
  if (links.length === 0) return undefined;
  return html`<h2>${texts.html('consent.about', { client })}</h2>
    <ul>
      ${links.map((link) => html`<li>${link}</li>`)}
    </ul>`;
}

/** In words, where there are some. */
export function meaningOf({ scope, at, description }: Permission, texts: Texts): Html | string {
  const what = description ?? nameOf(scope, texts);
  return at === undefined ? what : texts.html('scope.at', { resource: at, what });
}

function nameOf(scope: string, texts: Texts): Html | string {
  if (scope === '') return texts.text('scope.use');
  if (Object.hasOwn(MEANINGS, scope)) return texts.text(MEANINGS[scope as keyof typeof MEANINGS]);
  const colon = scope.indexOf(':');
  const [action, resource] = [scope.slice(0, colon), scope.slice(colon + 1)];
  if (colon < 0 || !Object.hasOwn(VERBS, action)) return scope;
  const what = resource === '*' ? texts.text('scope.everything') : resource;
  return texts.html(VERBS[action as keyof typeof VERBS], { what });
}

interface AccountPage extends Carried {
  readonly clientName: string;
  readonly identifier: string;
}

/** Which account? A browser has one login per tenant: that, or another one. */
export function accountView(page: AccountPage): Html {
  const { texts } = page.look;
  const { clientName: client, identifier } = page;
  return shell(
    {
      look: page.look,
      title: texts.text('accounts.title'),
      lead: texts.html('login.lead', { client }),
    },
    form(
      page,
      button('select', texts.html('accounts.continue', { identifier })),
      button('another', texts.text('action.another_account'), { look: 'second' }),
    ),
  );
}

interface ConfirmationPage extends AccountPage, Pick<ConsentPage, 'origin'> {
  /** Where the code goes: the loopback address, or the scheme of an app. */
  readonly host: string;
}

/** Did the user open this app? Any program on the device can ask in its name (RFC 8252 §8.6). */
export function confirmationView(page: ConfirmationPage): Html {
  const { texts } = page.look;
  const { clientName: client, identifier, host } = page;
  return shell(
    {
      look: page.look,
      title: texts.text('confirm.title', { client }),
      heading: texts.html('confirm.title', { client }),
      lead: texts.html('confirm.lead', { host }),
    },
    html`
      ${originOf(page)}
      ${form(
        page,
        button('select', texts.html('accounts.continue', { identifier }), { id: 'confirm' }),
        button('deny', texts.text('confirm.cancel'), { id: 'confirm-cancel', look: 'second' }),
      )}
      ${aside(page, 'another', texts.text('action.another_account'))}
    `,
  );
}

interface DevicePage {
  readonly look: Look;
  /** Against forgery. */
  readonly field: Html;
  /** What was typed, or what the address of this page contains. */
  readonly code: string | undefined;
  readonly problem?: Html | string | undefined;
}

/** Where the code of a device is typed. Whoever follows an address with a code still compares it, and continues. */
export function deviceView({ look, field, code, problem }: DevicePage): Html {
  const { texts } = look;
  const isGiven = code !== undefined && problem === undefined;
  return shell(
    {
      look,
      title: texts.text('device.title'),
      lead: texts.text(isGiven ? 'device.lead_given' : 'device.lead'),
      problem,
    },
    html`<form method="post" action="device">
      ${field}<label for="user-code">${texts.text('device.code')}</label>
      <input
        id="user-code"
        name="user_code"
        type="text"
        autocomplete="off"
        autocapitalize="characters"
        spellcheck="false"
        required
        maxlength="32"
        dir="ltr"
        aria-describedby="user-code-hint"
        ${code === undefined ? html`autofocus` : html`value="${code}"`}
      />
      <p class="hint" id="user-code-hint">${texts.text('device.warning')}</p>
      ${button('device', texts.text('device.continue'), { id: 'device-continue' })}
    </form>`,
  );
}

/** A device that asks for a consent, as its user recognizes it. */
export interface ShownDevice {
  readonly userCode: string;
  readonly address: string;
  /** How long ago it asked, in milliseconds. */
  readonly ageMs: number;
}

/** What the consent page says of a device: whoever reads it may not be whose device it is. */
function askingDevice({ userCode: code, address, ageMs }: ShownDevice, look: Look): Html {
  const { texts } = look;
  const minutes = Math.max(0, Math.floor(ageMs / 60_000));
  return html`<h2>${texts.text('device.asks')}</h2>
    <p>${texts.html('device.shows', { code })}</p>
    <p>${texts.html('device.begun', { minutes, address })}</p>
    <p>${texts.text('device.check')}</p>`;
}

const ENDS = {
  connected: ['device.done_title', 'device.done'],
  denied: ['device.denied_title', 'device.denied'],
  refused: ['device.denied_title', 'device.refused'],
  over: ['device.over_title', 'device.over'],
} as const;

interface DeviceEnd {
  readonly look: Pick<Look, 'texts'> & Partial<Look>;
  readonly end: keyof typeof ENDS;
}

/** What has become of the device. */
export function deviceEndView({ look, end }: DeviceEnd): Html {
  const { texts } = look;
  const [title, text] = ENDS[end];
  return shell({ look, title: texts.text(title) }, html`<p>${texts.text(text)}</p>`);
}

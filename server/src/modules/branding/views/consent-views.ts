import { type Html, html } from '../../../platform/http/pages/html.ts';
import type { Texts } from '../../../platform/texts/texts.ts';
import type { Look } from '../brand/index.ts';
import { type Carried, aside, button, form, listsOf, shell } from './page.ts';

/** The texts for what each scope of OpenID Connect lets an application do. */
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

/** A permission that an application requests. */
export interface Permission {
  /** Empty for tokens that the resource accepts without a scope. */
  readonly scope: string;
  /** The resource of the scope, if it has one. */
  readonly at?: string;
  /** By default, derived from the name of the scope. */
  readonly description?: string;
}

/** A field with a label of the tenant, and values of the application. */
export type DetailField = readonly [label: string, values: readonly (string | boolean)[]];

/** An element of `authorization_details` (RFC 9396): a type described by the tenant, with fields of the application. */
export interface AuthorizationDetail {
  readonly name: string;
  readonly description: string;
  /** The resource that the authorization is for. */
  readonly at: string;
  readonly fields: readonly DetailField[];
}

interface ConsentPage extends Carried {
  readonly clientName: string;
  readonly tenantName: string;
  readonly identifier: string;
  /** The verified host of the application; `unverified`: it registered itself; undefined: the tenant vouches for it. */
  readonly origin: { readonly host: string } | 'unverified' | undefined;
  /** The host that the user returns to, or the requesting device. */
  readonly from: { readonly host: string } | { readonly device: ShownDevice };
  /** Whether the user has allowed the application, but has never returned to this host. */
  readonly isNewAddress: boolean;
  readonly requested: readonly Permission[];
  /** The permissions that the application already has. */
  readonly granted: readonly Permission[];
  readonly authorizationDetails: readonly AuthorizationDetail[];
  readonly about: About;
}

/** The application's description of itself. */
interface About {
  readonly policy: string | null;
  readonly terms: string | null;
  readonly contacts: readonly string[];
}

/** The permissions that an application requests: new ones first, then those that it already has. */
export function consentView(page: ConsentPage): Html {
  const { clientName, requested, granted, tenantName: tenant } = page;
  const { texts } = page.look;
  const who = html`<span class="who">${page.identifier}</span>`;
  const listed = (all: readonly Permission[]) =>
    all.map((permission) => html`<li>${meaningOf(permission, texts)}</li>`);
  return shell(
    {
      look: page.look,
      title: texts.text('consent.title', { client: clientName }),
      heading: texts.html('consent.title', { client: clientName }),
      lead: texts.html('consent.lead', { identifier: who, tenant }),
      head: listsOf(page.look),
    },
    html`
      ${originOf(page)} ${newAddressOf(page)}
      <h2>${texts.html('consent.new', { client: clientName })}</h2>
      <ul>
        ${listed(requested)}
      </ul>
      ${detailsOf(page.authorizationDetails, texts)}
      ${
        granted.length > 0
          ? html`<h2>${texts.text('consent.known')}</h2>
              <ul>
                ${listed(granted)}
              </ul>`
          : undefined
      }
      ${
        'device' in page.from
          ? requestingDevice(page.from.device, page.look)
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

/** The verified origin of the application, because an application can choose any name. */
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

/** The reason for another consent. */
function newAddressOf({ from, isNewAddress, look: { texts } }: ConsentPage): Html | undefined {
  if (!isNewAddress || 'device' in from) return undefined;
  return html`<p class="warn" id="new-address">
    ${texts.html('consent.new_address', { host: from.host })}
  </p>`;
}

/** Each value of the application stands alone, so that it cannot pass for text of the page. */
function detailsOf(all: readonly AuthorizationDetail[], texts: Texts): Html | undefined {
  if (all.length === 0) return undefined;
  const wordOf = (value: string | boolean) =>
    typeof value === 'string' ? value : texts.text(value ? 'consent.yes' : 'consent.no');
  const fieldOf = ([label, values]: DetailField) =>
    html`<dt>${label}</dt>
      ${values.map((value) => html`<dd><bdi>${wordOf(value)}</bdi></dd>`)}`;
  return html`<h2>${texts.text('consent.particular')}</h2>
    <ul>
      ${all.map(
        ({ name, description, at, fields }) =>
          html`<li>
            ${texts.html('scope.at', { resource: at, what: name })}<br />${description}
            ${fields.length > 0 ? html`<dl>${fields.map(fieldOf)}</dl>` : undefined}
          </li>`,
      )}
    </ul>`;
}

/** The pages and addresses of the application. The tenant's are in the footer. */
function aboutOf({ about, clientName: client }: ConsentPage, texts: Texts): Html | undefined {
  const links = [
    about.terms && html`<a href="${about.terms}" class="link">${texts.text('footer.terms')}</a>`,
    about.policy &&
      html`<a href="${about.policy}" class="link">${texts.text('footer.privacy')}</a>`,
    ...about.contacts.map(
      (contact) => html`<a href="mailto:${contact}" class="link"><bdi>${contact}</bdi></a>`,
    ),
  ].filter((link) => link !== null);
  if (links.length === 0) return undefined;
  return html`<h2>${texts.html('consent.about', { client })}</h2>
    <ul>
      ${links.map((link) => html`<li>${link}</li>`)}
    </ul>`;
}

/** The meaning of a permission in words; its scope if there are none. */
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

/** Offers the account of the browser's login, or another one. A browser has one login per tenant. */
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
  /** The destination of the code: the loopback address, or the scheme of an app. */
  readonly host: string;
}

/** Asks whether the user opened this app. Any program on the device can use its name (RFC 8252 §8.6). */
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
  /** The entered code, or the code in the URL. */
  readonly code: string | undefined;
  readonly problem?: Html | string | undefined;
}

/** The page where a user enters the code of a device. If the URL contains the code, the user still compares it. */
export function deviceView({ look, field, code, problem }: DevicePage): Html {
  const { texts } = look;
  const hasCode = code !== undefined && problem === undefined;
  return shell(
    {
      look,
      title: texts.text('device.title'),
      lead: texts.text(hasCode ? 'device.lead_given' : 'device.lead'),
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

/** A device that requests consent, with the details that its user recognizes. */
export interface ShownDevice {
  readonly userCode: string;
  readonly address: string;
  /** The time since its request, in milliseconds. */
  readonly ageMs: number;
}

/** The part of the consent page about the device. The reader might not be the device's user. */
function requestingDevice({ userCode: code, address, ageMs }: ShownDevice, look: Look): Html {
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

/** The result for the device. */
export function deviceEndView({ look, end }: DeviceEnd): Html {
  const { texts } = look;
  const [title, text] = ENDS[end];
  return shell({ look, title: texts.text(title) }, html`<p>${texts.text(text)}</p>`);
}

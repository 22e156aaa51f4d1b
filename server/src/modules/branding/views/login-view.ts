import type { MessageChannel } from '@keywright/contract/messages';
import type { TenantConfig } from '@keywright/contract/records/tenant-config';
import type { TenantId } from '@keywright/contract/ids';
import { FairCache } from '../../../platform/cache/cache.ts';
import { type FilledPage, Html, html, PageTemplate } from '../../../platform/http/pages/html.ts';
import type { IconName } from '../../../platform/http/pages/icons.ts';
import type { Texts } from '../../../platform/texts/texts.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import type { Look } from '../brand/index.ts';
import { field, nameField } from './fields.ts';
import { type Carried, aside, button, form, namedForm, shell, withIcon } from './page.ts';
import { OFFER } from './factor-views.ts';

export interface Provider {
  readonly id: string;
  readonly name: string;
  /** As in the contract. */
  readonly type: string;
}

/** The login methods that the tenant allows. */
export interface LoginMethods {
  readonly password: boolean;
  /** The channels for sending codes. */
  readonly channels: readonly MessageChannel[];
  readonly passkey: boolean;
  readonly registration: boolean;
  /** Whether a new user enters a name. */
  readonly names: TenantConfig['registration_name'];
  readonly providers: readonly Provider[];
  /** The address decides which provider a user logs in at, so the page asks for the address before a password. */
  readonly identifierFirst: boolean;
}

/** The contents of a page for a login. */
export interface LoginPage extends Carried {
  readonly tenantName: string;
  readonly clientName: string;
  readonly methods: LoginMethods;
  /** The user who is logged in, and must log in again. */
  readonly reauthenticates?: string | undefined;
  readonly identifier?: string | undefined;
  /** The name that a new user typed. */
  readonly name?: string | undefined;
  readonly problem?: Html | string | undefined;
  /** How this browser logged in last: `password`, `code`, `passkey`, or the ID of a provider. */
  readonly lastUsed?: string | undefined;
}

/** The first page of a login. */
export function startView(page: LoginPage): Html {
  const { methods, reauthenticates, problem } = page;
  const { texts, brand } = page.look;
  const title = texts.text(reauthenticates === undefined ? 'login.title' : 'login.confirm_title');
  const lead = texts.html('login.lead', { client: page.clientName });
  const hasForm = hasIdentifierField(methods);
  const providers = providerForms(page, lastUsedFirst(page), (text, id) => marked(page, text, id));
  const isTop = brand.providers.position === 'top';
  const or = providers && hasForm ? orLine(texts) : undefined;
  return shell(
    { look: page.look, title, lead, problem, head: marksOf(page) },
    html`${isTop ? html`${providers}${or}` : undefined}
    ${hasForm ? form(page, ...loginFields(page), submit(page)) : undefined} ${moreView(page)}
    ${isTop ? undefined : html`${or}${providers}`} ${othersView(page)}
    ${methods.passkey && hasForm ? OFFER : undefined}`,
  );
}

export function orLine(texts: Texts): Html {
  return html`<p class="or">${texts.text('login.or')}</p>`;
}

/** The text of a button, marked if this browser used it for its last login. */
function marked(
  page: LoginPage,
  text: Html | string,
  ...methods: readonly string[]
): Html | string {
  const { lastUsed, look } = page;
  if (lastUsed === undefined || !methods.includes(lastUsed) || !hasChoice(page.methods))
    return text;
  return lastUsedMark(text, look.texts);
}

/** The text of a button that this browser used for its last login. */
export function lastUsedMark(text: Html | string, texts: Texts): Html {
  const words = text instanceof Html ? text : html`<span>${text}</span>`;
  return html`${words} <small>${texts.text('login.last_used')}</small>`;
}

/** A single method needs no mark. */
function hasChoice(methods: LoginMethods): boolean {
  const { password, channels, passkey, providers } = methods;
  return [password, channels.length > 0, passkey, ...providers].filter(Boolean).length > 1;
}

function lastUsedFirst({ methods: { providers }, lastUsed }: LoginPage): readonly Provider[] {
  const isLast = ({ id }: Provider) => id === lastUsed;
  return [...providers.filter(isLast), ...providers.filter((provider) => !isLast(provider))];
}

function hasIdentifierField({ password, channels, identifierFirst }: LoginMethods): boolean {
  return password || channels.length > 0 || identifierFirst;
}

function loginFields({ methods, identifier, look: { texts } }: LoginPage): Html[] {
  const who = field({
    name: 'identifier',
    label: texts.text('field.identifier'),
    autocomplete: 'username webauthn',
    value: identifier,
    isFocused: identifier === undefined || !hasPasswordField(methods),
  });
  if (!hasPasswordField(methods)) return [who];
  const password = field({
    name: 'secret',
    label: texts.text('field.password'),
    type: 'password',
    autocomplete: 'current-password',
    isFocused: identifier !== undefined,
    labelAction: recovers(methods) ? recoveryButton(texts) : undefined,
    reveal: texts.text('login.show_password'),
  });
  return [who, password];
}

function hasPasswordField({ password, identifierFirst }: LoginMethods): boolean {
  return password && !identifierFirst;
}

/** Whether users can choose a new password. */
export const recovers = ({ password, channels }: LoginMethods): boolean =>
  password && channels.includes('email');

/** At the label of a password, in the form of the buttons that need no input. */
export function recoveryButton(texts: Texts): Html {
  return button('begin_recovery', texts.text('login.forgot_password'), {
    look: 'link',
    of: OTHERS,
  });
}

/** The form of buttons that need no input. */
export const OTHERS = 'others';

/** Other methods than the fields of the page. */
function moreView(page: LoginPage): Html | undefined {
  const { methods } = page;
  const { texts } = page.look;
  const look = hasIdentifierField(methods) ? 'quiet' : undefined;
  const sends = hasPasswordField(methods) && methods.channels.length > 0;
  const quiet = (action: string, icon: IconName, text: string, method: string) =>
    button(action, marked(page, withIcon(icon, text), method), { look, of: OTHERS });
  const buttons = [
    methods.passkey
      ? quiet('passkey', 'passkey', texts.text('login.passkey'), 'passkey')
      : undefined,
    sends ? quiet('begin_code', 'code', texts.text('login.code_instead'), 'code') : undefined,
  ].filter((candidate) => candidate !== undefined);
  return buttons.length === 0 ? undefined : html`<div class="more">${buttons}</div>`;
}

/** The form of the buttons above, and what the user can do instead of logging in. */
function othersView(page: LoginPage): Html | undefined {
  const { methods, reauthenticates, look } = page;
  const { texts, brand } = look;
  const link = (action: string, text: string) => button(action, text, { look: 'link' });
  const registers = methods.registration && reauthenticates === undefined;
  const isNeeded = methods.passkey || methods.channels.length > 0;
  if (!registers && !isNeeded && reauthenticates === undefined) return undefined;
  return namedForm(
    OTHERS,
    page,
    registers
      ? html`<p class="alt">
          ${texts.text('login.new_here', { company: brand.name })}
          ${link('begin_registration', texts.text('login.create_account'))}
        </p>`
      : undefined,
    reauthenticates === undefined
      ? undefined
      : html`<p class="alt">${link('another', texts.text('action.another_account'))}</p>`,
  );
}

function submit(page: LoginPage): Html {
  const { texts } = page.look;
  const isPassword = hasPasswordField(page.methods);
  const text = texts.text(isPassword ? 'action.log_in' : 'action.continue');
  const methods = isPassword ? ['password'] : ['password', 'code'];
  return button('login', marked(page, text, ...methods), { id: 'login-submit' });
}

const SHOWN_PROVIDERS = 5;

type FormContext = Omit<Carried, 'look'> & {
  readonly look: Pick<Carried['look'], 'texts'> & Partial<Pick<Carried['look'], 'brand'>>;
};

/** A button for each provider. If there are many, the rest are folded away. */
export function providerForms(
  carried: FormContext,
  providers: readonly Provider[],
  mark: (text: Html, id: string) => Html | string = (text) => text,
): Html | undefined {
  if (providers.length === 0) return undefined;
  const { texts, brand } = carried.look;
  const isRow = brand?.providers.style === 'icons';
  const forms = providers.map(({ id, name, type }) => {
    const text = texts.html('login.provider', { provider: name });
    const icon = PROVIDER_ICONS[type];
    // Providers without a mark of their own would all have the same icon.
    const isIcon = isRow && icon !== undefined;
    const words = withIcon(icon ?? 'company', isIcon ? html`<b>${text}</b>` : text);
    return providerForm(carried, id, isIcon ? words : mark(words, id));
  });
  const rest = forms.slice(SHOWN_PROVIDERS);
  return html`<div class="idp ${isRow ? 'icons' : ''}">
    ${forms.slice(0, SHOWN_PROVIDERS)}
    ${folded(carried.look.texts.text('login.more_providers'), rest)}
  </div>`;
}

/** The marks of providers. */
const PROVIDER_ICONS: Readonly<Partial<Record<string, IconName>>> = {
  google: 'google',
  microsoft: 'microsoft',
  apple: 'apple',
  github: 'github',
};

/** The style sheet of the marks, if there are providers. */
export function marksOf({ look: { brand }, methods: { providers } }: LoginPage): Html | undefined {
  if (providers.length === 0) return undefined;
  return html`<link rel="stylesheet" href="${brand.marks}" />`;
}

/** Forms that few users need. */
export function folded(summary: string, forms: readonly Html[]): Html | undefined {
  if (forms.length === 0) return undefined;
  return html`<details>
    <summary>${summary}</summary>
    ${forms}
  </details>`;
}

function providerForm(carried: FormContext, id: string, text: Html | string): Html {
  return form(
    carried,
    html`<input type="hidden" name="provider" value="${id}" />`,
    button('provider', text, { id: `provider-${id}`, look: 'second' }),
  );
}

/** The purpose of a page that asks for an identifier. */
interface IdentifierPurpose {
  readonly title: 'code.title' | 'recovery.title' | 'registration.title';
  readonly lead: 'code.lead' | 'recovery.lead' | 'registration.lead_code';
  readonly action: string;
}

/** A page that asks for the identifier only: for a code, a recovery or an account. */
export function identifierView(page: LoginPage, { title, lead, action }: IdentifierPurpose): Html {
  const { identifier: value, problem, methods } = page;
  const { texts } = page.look;
  // Registration and recovery need an email address.
  const isPhoneToo = action === 'send_code' && methods.channels.includes('sms');
  const isNew = action === 'send_registration';
  return shell(
    { look: page.look, title: texts.text(title), lead: texts.text(lead), problem },
    html`${form(
      page,
      field({
        name: 'identifier',
        label: texts.text(isPhoneToo ? 'field.identifier' : 'field.email'),
        type: isPhoneToo ? 'text' : 'email',
        autocomplete: 'username',
        value,
        isFocused: true,
      }),
      isNew ? nameField(methods.names, { value: page.name, texts }) : undefined,
      button(action, texts.text('action.send_code')),
    )}
    ${aside(page, 'restart', texts.text('action.back_to_login'))}`,
  );
}

/** A new account with a password, where no email can be sent. */
export function registrationView(page: LoginPage): Html {
  const { identifier: value, problem } = page;
  const { texts } = page.look;
  return shell(
    {
      look: page.look,
      title: texts.text('registration.title'),
      lead: texts.html('registration.lead', { tenant: page.tenantName }),
      problem,
    },
    html`${form(
      page,
      field({
        name: 'identifier',
        label: texts.text('field.identifier'),
        autocomplete: 'username',
        value,
        isFocused: true,
      }),
      nameField(page.methods.names, { value: page.name, texts }),
      field({
        name: 'secret',
        label: texts.text('field.password'),
        type: 'password',
        autocomplete: 'new-password',
        reveal: texts.text('login.show_password'),
      }),
      button('register', texts.text('registration.submit')),
    )}
    ${aside(page, 'restart', texts.text('action.back_to_login'))}`,
  );
}

/** Rendered pages in memory, of all tenants and of one. */
const CACHED = { max: 500, maxOfOwner: 50 };
/** With many identity providers, a page can be larger. It is then rendered for each request. */
const MAX_CACHED_BYTES = 16_384;

/** What differs between requests for the same page. */
type Slot = 'request' | 'token';

/** A page, and the state of its tenant when it was rendered: a changed tenant, brand or language is a new object. */
interface RenderedPage extends Pick<Look, 'brand' | 'texts'> {
  readonly tenant: Tenant;
  readonly template: PageTemplate<Slot>;
}

/** The first pages of logins. Most requests are for one without input or a problem, which is rendered once (ADR 42). */
export class StartPages {
  readonly #rendered = new FairCache<TenantId, string, RenderedPage>(CACHED);

  render(tenant: Tenant, page: LoginPage): Html | FilledPage {
    const { reauthenticates, identifier, problem, request, token } = page;
    const isPlain = [reauthenticates, identifier, problem].every((part) => part === undefined);
    if (!isPlain) return startView(page);
    const template = this.#templateOf(tenant, { ...page, lastUsed: lastUsedOf(page) });
    return template.insert({ request: html`${request}`, token });
  }

  #templateOf(tenant: Tenant, page: LoginPage): PageTemplate<Slot> {
    const { brand, texts } = page.look;
    const key = `${texts.locale} ${page.lastUsed ?? ''} ${page.clientName}`;
    const cached = this.#rendered.get(tenant.id, key);
    if (cached?.tenant === tenant && cached.brand === brand && cached.texts === texts) {
      return cached.template;
    }
    const template = templateOf(page);
    if (template.size <= MAX_CACHED_BYTES) {
      this.#rendered.set(tenant.id, key, { tenant, brand, texts, template });
    }
    return template;
  }
}

function templateOf(page: LoginPage): PageTemplate<Slot> {
  return new PageTemplate(['request', 'token'], (markerOf) => {
    const request = markerOf('request');
    const { here } = page.look;
    const look = { ...page.look, here: here && { ...here, fields: { request } } };
    return startView({ ...page, request, token: html`${markerOf('token')}`, look });
  });
}

/** The method of the browser's cookie, unless the page has no such method: clients choose the value. */
function lastUsedOf({ lastUsed, methods: { providers } }: LoginPage): string | undefined {
  const methods = ['password', 'code', 'passkey', ...providers.map(({ id }) => id)];
  return methods.find((method) => method === lastUsed);
}

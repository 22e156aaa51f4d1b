import type { MessageChannel } from '@keywright/contract/messages';
import type { TenantConfig } from '@keywright/contract/records/tenant-config';
import type { TenantId } from '@keywright/contract/ids';
import { FairCache } from '../../../platform/cache/cache.ts';
import {
  type FilledPage,
  type Html,
  html,
  PageTemplate,
} from '../../../platform/http/pages/html.ts';
import type { Texts } from '../../../platform/texts/texts.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import type { Look } from '../brand/index.ts';
import { type Carried, aside, button, field, form, nameField, namedForm, shell } from './page.ts';
import { OFFER } from './factor-views.ts';

export interface Provider {
  readonly id: string;
  readonly name: string;
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
  const { texts } = page.look;
  const title = texts.text(reauthenticates === undefined ? 'login.title' : 'login.confirm_title');
  const lead = texts.html('login.lead', { client: page.clientName });
  const others = othersView(page);
  const passkey = button('passkey', marked(page, texts.text('login.passkey'), 'passkey'), {
    look: 'second',
    of: others && OTHERS,
  });
  return shell(
    { look: page.look, title, lead, problem },
    html`
      ${hasIdentifierField(methods) ? form(page, ...loginFields(page), submit(page)) : undefined}
      ${methods.passkey ? (others ? passkey : form(page, passkey)) : undefined}
      ${providerForms(page, lastUsedFirst(page), (text, id) => marked(page, text, id))} ${others}
      ${methods.passkey && hasIdentifierField(methods) ? OFFER : undefined}
    `,
  );
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
  return html`${text} <small>${texts.text('login.last_used')}</small>`;
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
  });
  return [who, password];
}

function hasPasswordField({ password, identifierFirst }: LoginMethods): boolean {
  return password && !identifierFirst;
}

/** The form of buttons that need no input. */
const OTHERS = 'others';

/** Alternatives to a login with the fields of the page. */
function othersView(page: LoginPage): Html | undefined {
  const { methods, reauthenticates } = page;
  const { texts } = page.look;
  const link = (action: string, text: Html | string) => button(action, text, { look: 'link' });
  const sends = hasPasswordField(methods) && methods.channels.length > 0;
  const recovers = methods.password && methods.channels.includes('email');
  const registers = methods.registration && reauthenticates === undefined;
  const links = [
    sends ? link('begin_code', marked(page, texts.text('login.code_instead'), 'code')) : undefined,
    recovers ? link('begin_recovery', texts.text('login.forgot_password')) : undefined,
    registers ? link('begin_registration', texts.text('login.create_account')) : undefined,
    reauthenticates === undefined
      ? undefined
      : link('another', texts.text('action.another_account')),
  ].filter((candidate) => candidate !== undefined);
  return links.length === 0 ? undefined : namedForm(OTHERS, page, ...links);
}

function submit(page: LoginPage): Html {
  const { texts } = page.look;
  const isPassword = hasPasswordField(page.methods);
  const text = texts.text(isPassword ? 'action.log_in' : 'action.continue');
  const methods = isPassword ? ['password'] : ['password', 'code'];
  return button('login', marked(page, text, ...methods), { id: 'login-submit' });
}

const SHOWN_PROVIDERS = 5;

type FormContext = Omit<Carried, 'look'> & { readonly look: Pick<Carried['look'], 'texts'> };

/** A button for each provider. If there are many, the rest are folded away. */
export function providerForms(
  carried: FormContext,
  providers: readonly Provider[],
  mark: (text: Html, id: string) => Html | string = (text) => text,
): Html | undefined {
  const { texts } = carried.look;
  const forms = providers.map(({ id, name }) => {
    const text = mark(texts.html('login.provider', { provider: name }), id);
    return providerForm(carried, id, text);
  });
  const rest = forms.slice(SHOWN_PROVIDERS);
  return html`${forms.slice(0, SHOWN_PROVIDERS)}
  ${folded(carried.look.texts.text('login.more_providers'), rest)}`;
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

import type { MessageChannel } from '@keywright/contract/messages';
import { type Html, html } from '../../../platform/http/pages/html.ts';
import { aside, button, type Carried, field, form, namedForm } from './parts.ts';
import { OFFER } from './passkey-view.ts';
import { shell } from './shell.ts';

export interface Provider {
  readonly id: string;
  readonly name: string;
}

/** How users of the tenant may log in. */
export interface Ways {
  readonly password: boolean;
  /** How codes can be sent. */
  readonly channels: readonly MessageChannel[];
  readonly passkey: boolean;
  readonly registration: boolean;
  readonly providers: readonly Provider[];
  /** The address decides which provider a user logs in at, so it is asked for before a password. */
  readonly asksFirst: boolean;
}

/** What a page for a login shows. */
export interface LoginPage extends Carried {
  readonly tenantName: string;
  readonly clientName: string;
  readonly ways: Ways;
  /** Whoever has logged in already, and confirms that it is them. */
  readonly confirms?: string | undefined;
  readonly identifier?: string | undefined;
  readonly problem?: Html | string | undefined;
}

/** The first page: who are you? */
export function startView(page: LoginPage): Html {
  const { ways, confirms, problem } = page;
  const { texts } = page.look;
  const title = texts.text(confirms === undefined ? 'login.title' : 'login.confirm_title');
  const lead = texts.html('login.lead', { client: page.clientName });
  const others = othersView(page);
  const passkey = button('passkey', texts.text('login.passkey'), {
    look: 'second',
    of: others && OTHERS,
  });
  return shell(
    { look: page.look, title, lead, problem },
    html`
      ${asksWho(ways) ? form(page, ...whoFields(page), submit(page)) : undefined}
      ${ways.passkey ? (others ? passkey : form(page, passkey)) : undefined}
      ${providersView(page, ways.providers)} ${others}
      ${ways.passkey && asksWho(ways) ? OFFER : undefined}
    `,
  );
}

function asksWho({ password, channels, asksFirst }: Ways): boolean {
  return password || channels.length > 0 || asksFirst;
}

function whoFields({ ways, identifier, look: { texts } }: LoginPage): Html[] {
  const who = field({
    name: 'identifier',
    label: texts.text('field.identifier'),
    autocomplete: 'username webauthn',
    value: identifier,
    isFocused: identifier === undefined || !asksPassword(ways),
  });
  if (!asksPassword(ways)) return [who];
  const password = field({
    name: 'secret',
    label: texts.text('field.password'),
    type: 'password',
    autocomplete: 'current-password',
    isFocused: identifier !== undefined,
  });
  return [who, password];
}

function asksPassword({ password, asksFirst }: Ways): boolean {
  return password && !asksFirst;
}

/** The form of what nothing is typed for. */
const OTHERS = 'others';

/** What else somebody may want who opened this page. */
function othersView(page: LoginPage): Html | undefined {
  const { ways, confirms } = page;
  const { texts } = page.look;
  const link = (action: string, text: string) => button(action, text, { look: 'link' });
  const sends = asksPassword(ways) && ways.channels.length > 0;
  const recovers = ways.password && ways.channels.includes('email');
  const registers = ways.registration && confirms === undefined;
  const links = [
    sends ? link('begin_code', texts.text('login.code_instead')) : undefined,
    recovers ? link('begin_recovery', texts.text('login.forgot_password')) : undefined,
    registers ? link('begin_registration', texts.text('login.create_account')) : undefined,
    confirms === undefined ? undefined : link('another', texts.text('action.another_account')),
  ].filter((one) => one !== undefined);
  return links.length === 0 ? undefined : namedForm(OTHERS, page, ...links);
}

function submit({ ways, look: { texts } }: LoginPage): Html {
  const text = texts.text(asksPassword(ways) ? 'action.log_in' : 'action.continue');
  return button('login', text, { id: 'login-submit' });
}

const SHOWN_PROVIDERS = 5;

/** A button for each; of many, the rest is folded. */
export function providersView(carried: Carried, providers: readonly Provider[]): Html | undefined {
  const forms = providers.map((one) => providerForm(carried, one));
  const rest = forms.slice(SHOWN_PROVIDERS);
  return html`${forms.slice(0, SHOWN_PROVIDERS)}
  ${folded(carried.look.texts.text('login.more_providers'), rest)}`;
}

/** What few people need. */
export function folded(summary: string, forms: readonly Html[]): Html | undefined {
  if (forms.length === 0) return undefined;
  return html`<details>
    <summary>${summary}</summary>
    ${forms}
  </details>`;
}

function providerForm(carried: Carried, { id, name }: Provider): Html {
  const text = carried.look.texts.html('login.provider', { provider: name });
  return form(
    carried,
    html`<input type="hidden" name="provider" value="${id}" />`,
    button('provider', text, { id: `provider-${id}`, look: 'second' }),
  );
}

/** What a page asks for an identifier for. */
interface AskedFor {
  readonly title: 'code.title' | 'recovery.title' | 'registration.title';
  readonly lead: 'code.lead' | 'recovery.lead' | 'registration.lead_code';
  readonly action: string;
}

/** A page that asks for the identifier only: for a code, a recovery or an account. */
export function identifierView(page: LoginPage, { title, lead, action }: AskedFor): Html {
  const { identifier: value, problem, ways } = page;
  const { texts } = page.look;
  // Nobody registers, or recovers an account, by a phone number.
  const isPhoneToo = action === 'send_code' && ways.channels.includes('sms');
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
      button(action, texts.text('action.send_code')),
    )}
    ${aside(page, 'restart', texts.text('action.back_to_login'))}`,
  );
}

/** A new account with a password, where no mail can be sent. */
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

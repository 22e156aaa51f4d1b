import type { MessageChannel } from '@keywright/contract/messages';
import { type Html, html } from '../../../platform/http/pages/html.ts';
import { aside, button, type Carried, field, form } from './parts.ts';
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
  readonly problem?: string | undefined;
}

const IDENTIFIER = 'E-mail address or phone number';

/** The first page: who are you? */
export function startView(page: LoginPage): Html {
  const { ways, confirms, problem } = page;
  const title = confirms === undefined ? 'Log in' : 'Confirm it is you';
  return shell(
    { look: page.look, title, lead: html`to continue to <b>${page.clientName}</b>`, problem },
    html`
      ${asksWho(ways) ? form(page, ...whoFields(page), submit(ways)) : undefined}
      ${ways.passkey ? form(page, button('passkey', 'Use a passkey', { look: 'second' })) : undefined}
      ${providersView(page, ways.providers)} ${othersView(page)}
      ${ways.passkey && asksWho(ways) ? OFFER : undefined}
    `,
  );
}

function asksWho({ password, channels, asksFirst }: Ways): boolean {
  return password || channels.length > 0 || asksFirst;
}

function whoFields({ ways, identifier }: LoginPage): Html[] {
  const who = field({
    name: 'identifier',
    label: IDENTIFIER,
    autocomplete: 'username webauthn',
    value: identifier,
    isFocused: identifier === undefined || !asksPassword(ways),
  });
  if (!asksPassword(ways)) return [who];
  const password = field({
    name: 'secret',
    label: 'Password',
    type: 'password',
    autocomplete: 'current-password',
    isFocused: identifier !== undefined,
  });
  return [who, password];
}

function asksPassword({ password, asksFirst }: Ways): boolean {
  return password && !asksFirst;
}

/** What else somebody may want who opened this page. */
function othersView(page: LoginPage): Html {
  const { ways, confirms } = page;
  const sends = asksPassword(ways) && ways.channels.length > 0;
  const recovers = ways.password && ways.channels.includes('email');
  const registers = ways.registration && confirms === undefined;
  return html`
    ${sends ? aside(page, 'begin_code', 'Send me a code instead') : undefined}
    ${recovers ? aside(page, 'begin_recovery', 'Forgot your password?') : undefined}
    ${registers ? aside(page, 'begin_registration', 'Create an account') : undefined}
    ${confirms === undefined ? undefined : aside(page, 'another', 'Use another account')}
  `;
}

function submit(ways: Ways): Html {
  return button('login', asksPassword(ways) ? 'Log in' : 'Continue', { id: 'login-submit' });
}

const SHOWN_PROVIDERS = 5;

/** A button for each; of many, the rest is folded. */
export function providersView(carried: Carried, providers: readonly Provider[]): Html | undefined {
  const forms = providers.map((one) => providerForm(carried, one));
  const rest = forms.slice(SHOWN_PROVIDERS);
  return html`${forms.slice(0, SHOWN_PROVIDERS)} ${folded('More ways to log in', rest)}`;
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
  const text = `Continue with ${name}`;
  return form(
    carried,
    html`<input type="hidden" name="provider" value="${id}" />`,
    button('provider', text, { id: `provider-${id}`, look: 'second' }),
  );
}

/** A page that asks for the identifier only: for a code, a recovery or an account. */
export function identifierView(
  page: LoginPage,
  {
    title,
    text,
    action,
  }: { readonly title: string; readonly text: string; readonly action: string },
): Html {
  const { identifier: value, problem, ways } = page;
  // Nobody registers, or recovers an account, by a phone number.
  const isPhoneToo = action === 'send_code' && ways.channels.includes('sms');
  return shell(
    { look: page.look, title, lead: text, problem },
    html`${form(
      page,
      field({
        name: 'identifier',
        label: isPhoneToo ? IDENTIFIER : 'E-mail address',
        type: isPhoneToo ? 'text' : 'email',
        autocomplete: 'username',
        value,
        isFocused: true,
      }),
      button(action, 'Send a code'),
    )}
    ${aside(page, 'restart', 'Back to the login')}`,
  );
}

/** A new account with a password, where no mail can be sent. */
export function registrationView(page: LoginPage): Html {
  const { identifier: value, problem } = page;
  return shell(
    {
      look: page.look,
      title: 'Create an account',
      lead: html`for <b>${page.tenantName}</b>`,
      problem,
    },
    html`${form(
      page,
      field({
        name: 'identifier',
        label: IDENTIFIER,
        autocomplete: 'username',
        value,
        isFocused: true,
      }),
      field({ name: 'secret', label: 'Password', type: 'password', autocomplete: 'new-password' }),
      button('register', 'Create the account'),
    )}
    ${aside(page, 'restart', 'Back to the login')}`,
  );
}

import { type Html, html } from '../../../platform/http/pages/html.ts';
import { aside, button, type Carried, field, form } from './parts.ts';
import { shell } from './shell.ts';

export interface Provider {
  readonly id: string;
  readonly name: string;
}

/** How users of the tenant may log in. */
export interface Ways {
  readonly password: boolean;
  readonly message: boolean;
  readonly passkey: boolean;
  readonly registration: boolean;
  readonly providers: readonly Provider[];
}

/** What a page for a login shows. */
export interface LoginPage extends Carried {
  readonly tenantName: string;
  readonly clientName: string;
  readonly ways: Ways;
  readonly identifier?: string | undefined;
  readonly problem?: string | undefined;
}

const IDENTIFIER = 'E-mail address or phone number';

/** The first page: who are you? */
export function startView(page: LoginPage): Html {
  const { ways, identifier, problem } = page;
  const who = field({
    name: 'identifier',
    label: IDENTIFIER,
    autocomplete: 'username webauthn',
    value: identifier,
    isFocused: identifier === undefined,
  });
  const password = field({
    name: 'secret',
    label: 'Password',
    type: 'password',
    autocomplete: 'current-password',
    isFocused: identifier !== undefined,
  });
  const asksWho = ways.password || ways.message;
  return shell(
    { title: 'Log in', lead: html`to continue to <b>${page.clientName}</b>`, problem },
    html`
      ${asksWho ? form(page, who, ways.password ? password : undefined, submit(ways)) : undefined}
      ${ways.passkey ? form(page, button('passkey', 'Use a passkey', { look: 'second' })) : undefined}
      ${ways.providers.map((one) => providerForm(page, one))}
      ${ways.password && ways.message ? aside(page, 'begin_code', 'Send me a code instead') : undefined}
      ${ways.password && ways.message ? aside(page, 'begin_recovery', 'Forgot your password?') : undefined}
      ${ways.registration ? aside(page, 'begin_registration', 'Create an account') : undefined}
    `,
  );
}

function submit({ password }: Ways): Html {
  return button('login', password ? 'Log in' : 'Continue', { id: 'login-submit' });
}

export function providerForm(carried: Carried, { id, name }: Provider): Html {
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
  const { identifier: value, problem } = page;
  return shell(
    { title, lead: text, problem },
    html`${form(
      page,
      field({
        name: 'identifier',
        label: 'E-mail address',
        type: 'email',
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
    { title: 'Create an account', lead: html`for <b>${page.tenantName}</b>`, problem },
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

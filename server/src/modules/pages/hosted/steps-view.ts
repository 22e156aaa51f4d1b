import type { LoginFlow } from '@keywright/contract/records/login-flow';
import { type Html, html } from '../../../platform/http/pages/html.ts';
import { folded, type LoginPage, type Provider, providersView } from './login-view.ts';
import { aside, button, field, form } from './parts.ts';
import { shell } from './shell.ts';

type Needs = LoginFlow['needs'];
type Step = Needs[number]['step'];

interface StepsPage extends LoginPage {
  readonly needs: Needs;
  readonly purpose: LoginFlow['purpose'];
  /** The address that a message was sent to, masked. */
  readonly sentTo?: string | undefined;
}

/** What a login in progress needs next: a form for each way. */
export function stepsView(page: StepsPage): Html {
  const { needs, problem, identifier } = page;
  const waits = needs.some(({ step }) => step === 'code');
  // Whoever asked for a code types it: the other ways are folded away.
  const [first, rest] = waits ? [needs.filter(isOfMessage), needs.filter(isOther)] : [needs, []];
  const forms = formsOf(page, waits ? first.toReversed() : first);
  return shell(
    { look: page.look, title: titleOf(page), lead: identifier, problem },
    html`${page.purpose === 'linking' ? LINKING : undefined}
    ${forms.length > 0 ? forms : html`<p>There is no way to go on here.</p>`}
    ${folded('Log in differently', formsOf(page, rest, needs.length))}
    ${aside(page, 'restart', 'Start again')}`,
  );
}

const isOfMessage = ({ step }: Needs[number]) => step === 'code' || step === 'message';
const isOther = (need: Needs[number]) => !isOfMessage(need);

/** @param from the first form has the focus only if it is the first of the page */
function formsOf(page: StepsPage, needs: Needs, from = 0): Html[] {
  return needs.flatMap(({ step, provider }, index) =>
    step === 'oauth'
      ? (providersView(page, providersOf(page, provider)) ?? [])
      : (FORMS[step]?.(page, from + index === 0) ?? []),
  );
}

const LINKING = html`<p>
  There is an account with this address already. Log in to it once, and it can be used with what you
  just logged in with.
</p>`;

function providersOf({ ways }: StepsPage, only: string | undefined): readonly Provider[] {
  return only === undefined ? ways.providers : ways.providers.filter(({ id }) => id === only);
}

function titleOf(page: StepsPage): string {
  const has = (step: Step) => page.needs.some((need) => need.step === step);
  if (has('code')) return isPhone(page) ? 'Check your phone' : 'Check your mail';
  if (has('new_password')) return 'Choose a new password';
  if (has('enrol')) return 'Protect your account';
  if (has('totp') || has('recovery_code')) return 'Second step';
  if (page.purpose === 'linking') return 'You have an account here';
  return has('message') && page.needs.length === 1 ? 'Confirm your address' : 'Log in';
}

/** Whether messages of this login go to a phone. */
function isPhone({ needs }: StepsPage): boolean {
  return needs.some(({ channels }) => channels?.includes('sms'));
}

/** The form of each step. The first one of a page has the focus. */
const FORMS: Partial<Record<Step, (page: StepsPage, isFirst: boolean) => Html>> = {
  password: (page, isFocused) =>
    form(
      page,
      hiddenUser(page),
      field({ ...SECRET, label: 'Password', autocomplete: 'current-password', isFocused }),
      button('password', 'Log in'),
    ),
  message: (page) => {
    const text = page.sentTo === undefined ? 'Send me a code' : 'Send it again';
    return form(page, button('send', text, { look: 'second' }));
  },
  code: (page, isFocused) =>
    form(page, codeField('Code', isFocused, sentHint(page.sentTo)), button('code', 'Continue')),
  totp: (page, isFocused) =>
    form(page, codeField('Code of your authenticator app', isFocused), button('totp', 'Continue')),
  recovery_code: recoveryForm,
  passkey: (page, isFirst) => {
    const look = isFirst ? undefined : 'second';
    return form(page, button('passkey', 'Use a passkey', { look }));
  },
  new_password: (page, isFocused) =>
    form(
      page,
      hiddenUser(page),
      field({ ...SECRET, label: 'New password', autocomplete: 'new-password', isFocused }),
      button('new_password', 'Save and continue'),
    ),
  enrol: enrolForm,
};

/** For password managers: whose password it is. */
function hiddenUser({ identifier }: StepsPage): Html | undefined {
  return identifier === undefined
    ? undefined
    : html`<input value="${identifier}" autocomplete="username" readonly hidden />`;
}

function enrolForm(page: StepsPage): Html {
  const methods = page.needs.flatMap((need) => need.methods ?? []);
  return form(
    page,
    html`<p>Another factor is needed to log in here. Add one that you keep with you.</p>`,
    methods.includes('passkey') ? button('enrol_passkey', 'Add a passkey') : undefined,
    methods.includes('totp')
      ? button('enrol', 'Add an authenticator app', {
          look: methods.includes('passkey') ? 'second' : undefined,
        })
      : undefined,
  );
}

const SECRET = { name: 'secret', type: 'password' } as const;

function sentHint(sentTo: string | undefined): string | undefined {
  const where = sentTo && `a message is on its way to ${sentTo}`;
  return where && `If there is an account, ${where}. It is valid for 10 minutes.`;
}

function codeField(label: string, isFocused: boolean, hint?: string): Html {
  const typed = { name: 'code', autocomplete: 'one-time-code', isNumeric: true } as const;
  return field({ ...typed, label, isFocused, hint });
}

/** Folded beside another step, so that nobody types a code of the app there. */
function recoveryForm(page: StepsPage, isFirst: boolean): Html {
  const focus = isFirst ? html`autofocus` : undefined;
  const asked = form(
    page,
    html`<label for="recovery">Recovery code</label>
      <input id="recovery" name="code" autocomplete="off" required spellcheck="false" ${focus} />`,
    button('recovery_code', 'Use it'),
  );
  if (isFirst) return asked;
  return html`<details>
    <summary>Use a recovery code</summary>
    ${asked}
  </details>`;
}

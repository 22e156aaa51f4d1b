import type { LoginFlow } from '@keywright/contract/records/login-flow';
import { type Html, html } from '../../../platform/http/pages/html.ts';
import {
  folded,
  type LoginPage,
  marksOf,
  orLine,
  OTHERS,
  type Provider,
  providerForms,
  recoveryButton,
  recovers,
} from './login-view.ts';
import { field } from './fields.ts';
import { button, form, namedForm, shell, withIcon } from './page.ts';

type Needs = LoginFlow['needs'];
type Step = Needs[number]['step'];

interface StepsPage extends LoginPage {
  readonly needs: Needs;
  readonly purpose: LoginFlow['purpose'];
  /** The address that a message was sent to, masked. */
  readonly sentTo?: string | undefined;
}

/** The next step of a login in progress: a form for each method. */
export function stepsView(page: StepsPage): Html {
  const { needs, problem, identifier } = page;
  const { texts } = page.look;
  const waits = needs.some(({ step }) => step === 'code');
  // A user who requested a code enters it, so the other methods are folded away.
  const [first, rest] = waits ? [needs.filter(isOfMessage), needs.filter(isOther)] : [needs, []];
  const forms = formsOf(page, waits ? first.toReversed() : first);
  const isEmpty = forms.length === 0 && !needs.some(isOfProvider);
  return shell(
    { look: page.look, title: titleOf(page), lead: identifier, problem, head: marksOf(page) },
    html`${reasonOf(page)} ${isEmpty ? html`<p>${texts.text('login.no_way')}</p>` : forms}
    ${waits ? undefined : providersView(page, forms.length > 0)}
    ${folded(
      texts.text('action.log_in_differently'),
      [...formsOf(page, rest, needs.length), ...(waits ? [providersView(page)] : [])].filter(
        (part) => part !== undefined,
      ),
    )}
    ${isInvited(page) ? undefined : restartForm(page)}`,
  );
}

/** Also the form of the button at the password. */
function restartForm(page: StepsPage): Html {
  const text = page.look.texts.text('action.start_again');
  return namedForm(
    OTHERS,
    page,
    html`<p class="alt">${button('restart', text, { look: 'link' })}</p>`,
  );
}

/** Whether the user of a login with a password can choose a new one. */
const canRecover = (page: StepsPage) => page.purpose === 'login' && recovers(page.methods);

/** An invitation is restarted with its link. */
const isInvited = ({ purpose }: StepsPage) => purpose === 'invitation';

/** The purpose of the flow, if it has one besides the login. */
function reasonOf(page: StepsPage): Html | undefined {
  const { texts } = page.look;
  if (page.purpose === 'linking') return html`<p>${texts.text('login.linking')}</p>`;
  if (!isInvited(page)) return undefined;
  return html`<p>${texts.html('invitation.step', { tenant: page.tenantName })}</p>`;
}

const isOfMessage = ({ step }: Needs[number]) => step === 'code' || step === 'message';
const isOther = (need: Needs[number]) => !isOfMessage(need);

/** @param from the index of the first form, which has the focus only if it is the first of the page */
function formsOf(page: StepsPage, needs: Needs, from = 0): Html[] {
  return needs.flatMap(({ step }, index) => FORMS[step]?.(page, from + index === 0) ?? []);
}

const isOfProvider = ({ step }: Needs[number]) => step === 'oauth';

/** The buttons of the providers that the user can use. */
function providersView(page: StepsPage, isAfterForm = false): Html | undefined {
  const found = page.needs.find(isOfProvider);
  if (!found) return undefined;
  const isAllowed = ({ id }: Provider) => found.provider === undefined || id === found.provider;
  const buttons = providerForms(page, page.methods.providers.filter(isAllowed));
  return html`${isAfterForm ? orLine(page.look.texts) : undefined}${buttons}`;
}

function titleOf(page: StepsPage): string {
  const { texts } = page.look;
  const isNew = page.needs.some(({ step }) => step === 'new_password' || step === 'enroll');
  // A user without an account chooses how to log in to it.
  return isInvited(page) && isNew
    ? texts.text('invitation.title', { tenant: page.tenantName })
    : texts.text(titleKeyOf(page));
}

function titleKeyOf(page: StepsPage) {
  const has = (step: Step) => page.needs.some((need) => need.step === step);
  if (has('code')) return isPhone(page) ? 'step.check_phone' : 'step.check_mail';
  if (has('new_password')) return 'step.new_password';
  if (has('enroll')) return 'step.enroll';
  if (has('totp') || has('recovery_code')) return 'step.second';
  if (page.purpose === 'linking') return 'step.linking';
  if (!has('message') || page.needs.length > 1) return 'login.title';
  return isPhone(page) ? 'step.second' : 'step.confirm_address';
}

/** Whether messages of this login go to a phone. */
function isPhone({ needs }: StepsPage): boolean {
  return needs.some(({ channels }) => channels?.includes('sms'));
}

/** The button that sends a code is the main one if the page has no other form. */
function lookOfSend({ needs }: StepsPage, isFirst: boolean) {
  if (!isFirst) return 'quiet';
  return needs.length === 1 ? undefined : 'second';
}

/** The form of each step. The first one of a page has the focus. */
const FORMS: Partial<Record<Step, (page: StepsPage, isFirst: boolean) => Html>> = {
  password: (page, isFocused) =>
    form(
      page,
      hiddenUser(page),
      field({
        ...SECRET,
        label: page.look.texts.text('field.password'),
        autocomplete: 'current-password',
        isFocused,
        labelAction: canRecover(page) ? recoveryButton(page.look.texts) : undefined,
        reveal: page.look.texts.text('login.show_password'),
      }),
      button('password', page.look.texts.text('action.log_in')),
    ),
  message: (page, isFirst) => {
    const text = page.look.texts.text(page.sentTo === undefined ? 'step.send' : 'step.send_again');
    const icon = isPhone(page) ? text : withIcon('code', text);
    return form(page, button('send', icon, { look: lookOfSend(page, isFirst) }));
  },
  code: (page, isFocused) =>
    form(
      page,
      codeField(page.look.texts.text('field.code'), isFocused, sentHint(page)),
      button('code', page.look.texts.text('action.continue')),
    ),
  totp: (page, isFocused) =>
    form(
      page,
      codeField(page.look.texts.text('step.totp'), isFocused),
      button('totp', page.look.texts.text('action.continue')),
    ),
  recovery_code: recoveryForm,
  passkey: (page, isFirst) => {
    const text = withIcon('passkey', page.look.texts.text('login.passkey'));
    return form(page, button('passkey', text, { look: isFirst ? undefined : 'quiet' }));
  },
  new_password: (page, isFocused) =>
    form(
      page,
      hiddenUser(page),
      field({
        ...SECRET,
        label: page.look.texts.text('field.new_password'),
        autocomplete: 'new-password',
        isFocused,
        reveal: page.look.texts.text('login.show_password'),
      }),
      button('new_password', page.look.texts.text('step.save_password')),
    ),
  enroll: enrollForm,
};

/** Tells password managers whose password it is. */
function hiddenUser({ identifier }: StepsPage): Html {
  const prefilled = identifier === undefined ? undefined : html`value="${identifier}" readonly`;
  return html`<input autocomplete="username" ${prefilled} hidden />`;
}

/** Whether a passkey is one of several first factors, rather than a further one. */
const isChoice = (page: StepsPage) => isInvited(page) && page.needs.length > 1;

function enrollForm(page: StepsPage): Html {
  const methods = page.needs.flatMap((need) => need.methods ?? []);
  const { texts } = page.look;
  return form(
    page,
    isChoice(page) ? undefined : html`<p>${texts.text('step.enroll_text')}</p>`,
    methods.includes('passkey')
      ? button('enroll_passkey', texts.text('passkey.add'), {
          look: isChoice(page) ? 'second' : undefined,
        })
      : undefined,
    methods.includes('totp')
      ? button('enroll', texts.text('totp.add'), {
          look: methods.includes('passkey') ? 'second' : undefined,
        })
      : undefined,
  );
}

const SECRET = { name: 'secret', type: 'password' } as const;

function sentHint({ sentTo, look: { texts } }: StepsPage): Html | undefined {
  return sentTo ? texts.html('step.sent', { address: sentTo }) : undefined;
}

function codeField(label: string, isFocused: boolean, hint?: Html): Html {
  const typed = { name: 'code', autocomplete: 'one-time-code', isNumeric: true } as const;
  return field({ ...typed, label, isFocused, hint });
}

/** Folded away next to another step, so that users do not enter an authenticator app's code there. */
function recoveryForm(page: StepsPage, isFirst: boolean): Html {
  const focus = isFirst ? html`autofocus` : undefined;
  const { texts } = page.look;
  const codeForm = form(
    page,
    html`<label for="recovery">${texts.text('step.recovery_code')}</label>
      <input id="recovery" name="code" autocomplete="off" required spellcheck="false" ${focus} />`,
    button('recovery_code', texts.text('step.use_it')),
  );
  if (isFirst) return codeForm;
  return html`<details>
    <summary>${texts.text('step.use_recovery_code')}</summary>
    ${codeForm}
  </details>`;
}

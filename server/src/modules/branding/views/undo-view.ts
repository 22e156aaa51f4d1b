import { type Html, html } from '../../../platform/http/pages/html.ts';
import type { Look } from '../brand/index.ts';
import { button, field } from './parts.ts';
import { assertionView } from './passkey-view.ts';
import { shell } from './shell.ts';

interface UndoProofs {
  readonly password: boolean;
  readonly totp: boolean;
  readonly passkey: boolean;
  /** Whether the account had a proof and none of them is left. */
  readonly isLost: boolean;
}

interface UndoPage {
  readonly look: Look;
  /** Against forgery. */
  readonly field: Html;
  /** Of the message. */
  readonly token: string;
  readonly tenantName: string;
  /** What the account had before the change; all false: a button is enough. */
  readonly proofs: UndoProofs;
  /** Whether the proof that was given is wrong. */
  readonly isWrong?: boolean;
}

/** Asks for a proof that the account had before the change. Mail scanners open this page too: only a button undoes it. */
export function undoView(page: UndoPage): Html {
  const { look, proofs } = page;
  const { texts } = look;
  const lead = texts.html('undo.lead', { tenant: page.tenantName });
  const problem = page.isWrong ? texts.text('undo.wrong') : undefined;
  const { password, totp, passkey } = proofs;
  return shell(
    { look, title: texts.text('undo.title'), lead, problem },
    html`${password ? passwordForm(page) : undefined} ${totp ? codeForm(page) : undefined}
      ${passkey ? passkeyForm(page) : undefined}
      ${password || totp || passkey ? undefined : withoutProof(page)}
      <p class="hint">${texts.text('undo.unexpected')}</p>`,
  );
}

/** Of an account that has no proof from before the change: a button if it had none. */
function withoutProof(page: UndoPage): Html {
  const { texts } = page.look;
  if (page.proofs.isLost) {
    return html`<p>${texts.text('undo.lost', { tenant: page.tenantName })}</p>`;
  }
  return form(page, button('undo', texts.text('undo.submit')));
}

function passkeyForm(page: UndoPage): Html {
  const { texts } = page.look;
  const isOnly = !page.proofs.password && !page.proofs.totp;
  const text = texts.text(isOnly ? 'undo.passkey' : 'undo.or_passkey');
  const look = isOnly ? undefined : 'second';
  return html`<p>${text}</p>
    ${form(page, button('passkey', texts.text('login.passkey'), { look }))}`;
}

/** Asks for a passkey that the account had before the change. */
export function undoPasskeyView(page: UndoPage & { readonly options: object }): Html {
  const { look, options, tenantName: tenant } = page;
  const { texts } = look;
  const purpose = {
    title: texts.text('undo.title'),
    lead: texts.html('undo.lead', { tenant }),
    text: texts.text('undo.passkey'),
  };
  return assertionView({ look, options, address: 'undo', fields: fieldsOf(page), purpose });
}

function passwordForm(page: UndoPage): Html {
  const { texts } = page.look;
  return html`<p>${texts.text('undo.proof')}</p>
    ${form(
      page,
      field({
        name: 'secret',
        type: 'password',
        label: texts.text('field.password'),
        autocomplete: 'current-password',
      }),
      button('undo', texts.text('undo.submit'), { id: 'undo-by-password' }),
    )}`;
}

function codeForm(page: UndoPage): Html {
  const { texts } = page.look;
  const isSecond = page.proofs.password;
  return html`${isSecond ? html`<p>${texts.text('undo.or_code')}</p>` : undefined}
  ${form(
    page,
    field({
      name: 'code',
      label: texts.text('step.totp'),
      autocomplete: 'one-time-code',
      isNumeric: true,
    }),
    button('undo', texts.text('undo.submit'), { id: 'undo-by-code' }),
  )}`;
}

function form(page: UndoPage, ...parts: readonly Html[]): Html {
  return html`<form method="post" action="undo">${fieldsOf(page)}${parts}</form>`;
}

function fieldsOf({ field: guard, token }: UndoPage): Html {
  return html`${guard}<input type="hidden" name="token" value="${token}" />`;
}

interface UndoneEnd {
  readonly look: Pick<Look, 'texts'> & Partial<Look>;
  /** `ended`: the token undoes nothing, or no longer. */
  readonly state: 'done' | 'ended';
  /** Path of the page on which its user logs in. */
  readonly account: string;
}

/** After the change was undone, or why it cannot be. */
export function undoneView({ look, state, account }: UndoneEnd): Html {
  const { texts } = look;
  return shell(
    { look, title: texts.text(`undo.${state}_title`) },
    html`<p>${texts.text(`undo.${state}`)}</p>
      <p><a href="${account}">${texts.text('action.log_in')}</a></p>`,
  );
}

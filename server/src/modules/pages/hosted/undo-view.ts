import { type Html, html } from '../../../platform/http/pages/html.ts';
import type { Look } from '../brand/index.ts';
import { button, field } from './parts.ts';
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
  const { password, totp } = proofs;
  return shell(
    { look, title: texts.text('undo.title'), lead, problem },
    html`${password ? passwordForm(page) : undefined} ${totp ? codeForm(page) : undefined}
      ${password || totp ? undefined : otherWay(page)}
      <p class="hint">${texts.text('undo.unexpected')}</p>`,
  );
}

/** Of an account that proves itself by neither: a button if it had nothing, or what to do instead. */
function otherWay(page: UndoPage): Html {
  const { texts } = page.look;
  const { passkey, isLost } = page.proofs;
  if (passkey) return html`<p>${texts.text('undo.passkey')}</p>`;
  if (isLost) return html`<p>${texts.text('undo.lost', { tenant: page.tenantName })}</p>`;
  return form(page, 'undo', undefined);
}

function passwordForm(page: UndoPage): Html {
  const { texts } = page.look;
  return html`<p>${texts.text('undo.proof')}</p>
    ${form(
      page,
      'undo-by-password',
      field({
        name: 'secret',
        type: 'password',
        label: texts.text('field.password'),
        autocomplete: 'current-password',
      }),
    )}`;
}

function codeForm(page: UndoPage): Html {
  const { texts } = page.look;
  const isSecond = page.proofs.password;
  return html`${isSecond ? html`<p>${texts.text('undo.or_code')}</p>` : undefined}
  ${form(
    page,
    'undo-by-code',
    field({
      name: 'code',
      label: texts.text('step.totp'),
      autocomplete: 'one-time-code',
      isNumeric: true,
    }),
  )}`;
}

function form({ look, field: guard, token }: UndoPage, id: string, proof: Html | undefined): Html {
  return html`<form method="post" action="undo">
    ${guard}<input type="hidden" name="token" value="${token}" />${proof}
    ${button('undo', look.texts.text('undo.submit'), { id })}
  </form>`;
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

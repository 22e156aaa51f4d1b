import { type Html, html } from '../../../platform/http/pages/html.ts';
import type { Look } from '../brand/index.ts';
import { button, field } from './parts.ts';
import { shell } from './shell.ts';

interface UndoPage {
  readonly look: Look;
  /** Against forgery. */
  readonly field: Html;
  /** Of the message. */
  readonly token: string;
  readonly tenantName: string;
  /** What the account had before the change; all false: a button is enough. */
  readonly proofs: {
    readonly password: boolean;
    readonly totp: boolean;
    readonly passkey: boolean;
  };
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
  const isFree = !password && !totp && !passkey;
  return shell(
    { look, title: texts.text('undo.title'), lead, problem },
    html`${password ? passwordForm(page) : undefined} ${totp ? codeForm(page) : undefined}
      ${isFree ? form(page, 'undo', undefined) : undefined}
      ${!isFree && !password && !totp ? html`<p>${texts.text('undo.passkey')}</p>` : undefined}
      <p class="hint">${texts.text('undo.unexpected')}</p>`,
  );
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

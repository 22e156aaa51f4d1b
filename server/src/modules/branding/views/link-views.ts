import type { InvitationState } from '@keywright/contract/records/invitation';
import { type Html, html } from '../../../platform/http/pages/html.ts';
import type { TenantConfig } from '@keywright/contract/records/tenant-config';
import type { Texts } from '../../../platform/texts/texts.ts';
import type { Look } from '../brand/index.ts';
import { assertionView } from './factor-views.ts';
import { field, nameField } from './fields.ts';
import { type Carried, button, form, shell } from './page.ts';

interface LinkPage extends Carried {
  readonly linkToken: string;
  readonly clientName: string;
  /** Masked. */
  readonly sentTo: string;
}

/** The link of a message, in the browser that requested it. */
export function linkView(page: LinkPage): Html {
  const { texts } = page.look;
  return shell(
    {
      look: page.look,
      title: texts.text('link.title'),
      lead: texts.html('link.lead', { client: page.clientName, address: page.sentTo }),
    },
    form(
      page,
      html`<input type="hidden" name="link_token" value="${page.linkToken}" />`,
      button('link', texts.text('action.log_in'), { isFocused: true }),
    ),
  );
}

interface Elsewhere extends Pick<Carried, 'look'> {
  readonly userAgent: string | null;
  readonly startedAt: Date;
  readonly now: Date;
}

/** The link of a message in another browser, which might not belong to the user. */
export function elsewhereView({ look, userAgent, startedAt, now }: Elsewhere): Html {
  const minutes = Math.max(0, Math.floor((now.getTime() - startedAt.getTime()) / 60_000));
  const { texts } = look;
  const browser = browserOf(userAgent, texts) ?? texts.text('browser.unknown');
  return shell(
    { look, title: texts.text('link.elsewhere_title') },
    html`<p>${texts.html('link.elsewhere', { browser, minutes })}</p>
      <p>${texts.text('link.if_you')}</p>
      <p>${texts.text('link.if_not_you')}</p>`,
  );
}

/** A link that was used or is too old. */
export function endedLinkView({ look }: Pick<Carried, 'look'>): Html {
  return shell(
    { look, title: look.texts.text('link.ended_title') },
    html`<p>${look.texts.text('link.ended')}</p>`,
  );
}

const BROWSERS: readonly (readonly [RegExp, string])[] = [
  [/\bEdg/, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bFirefox\/|\bFxiOS\//, 'Firefox'],
  [/\bChrome\/|\bCriOS\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
];
const SYSTEMS: readonly (readonly [RegExp, string])[] = [
  [/Windows/, 'Windows'],
  [/Android/, 'Android'],
  [/iPhone|iPad/, 'iOS'],
  [/Mac OS X/, 'macOS'],
  [/Linux|X11/, 'Linux'],
];

/** The usual name of a browser, if it has one. The rest of the header is not shown, because any client can write it. */
export function browserOf(userAgent: string | null, texts: Texts): string | undefined {
  const named = (list: typeof BROWSERS) =>
    list.find(([pattern]) => pattern.test(userAgent ?? ''))?.[1];
  const [browser, system] = [named(BROWSERS), named(SYSTEMS)];
  if (browser === undefined || system === undefined) return browser;
  return texts.text('browser.on', { browser, system });
}

interface InvitationPage {
  readonly look: Look;
  /** Against forgery. */
  readonly field: Html;
  /** Of the invitation. */
  readonly token: string;
  readonly tenantName: string;
  /** The identifier of the invited user. */
  readonly identifier: string;
  /** Null if the inviter has no name in this tenant. */
  readonly inviter: string | null;
  /** Whether a new user enters a name. */
  readonly names: TenantConfig['registration_name'];
  readonly name: string;
  readonly problem?: Html | string;
}

/** Shows an invitation. Email scanners also open this page, so only the button has an effect. */
export function invitationView(page: InvitationPage): Html {
  const { look, inviter, tenantName: tenant } = page;
  const { texts } = look;
  const lead =
    inviter === null
      ? texts.html('invitation.lead', { tenant })
      : texts.html('invitation.lead_by', { inviter, tenant });
  return shell(
    { look, title: texts.text('invitation.title', { tenant }), lead, problem: page.problem },
    html`<p>${texts.html('invitation.for', { identifier: page.identifier })}</p>
      <form method="post" action="invitation">
        ${page.field}<input type="hidden" name="token" value="${page.token}" />
        ${nameField(page.names, { value: page.name, texts })}
        ${button('accept', texts.text('invitation.accept'), { id: 'invitation-accept' })}
      </form>
      <p class="hint">${texts.text('invitation.unexpected')}</p>`,
  );
}

const ENDED = {
  expired: ['invitation.expired_title', 'invitation.expired'],
  revoked: ['invitation.revoked_title', 'invitation.revoked'],
  accepted: ['invitation.accepted_title', 'invitation.accepted'],
  unknown: ['invitation.unknown_title', 'invitation.unknown'],
} as const;

interface EndedPage {
  readonly look: Pick<Look, 'texts'> & Partial<Look>;
  /** Undefined if the token belongs to no invitation. */
  readonly state: Exclude<InvitationState, 'pending'> | undefined;
  /** The path of the page where the user logs in. */
  readonly account: string;
}

/** Why an invitation can no longer be accepted. Only the holder of its token sees this page. */
export function endedInvitationView({ look, state, account }: EndedPage): Html {
  const { texts } = look;
  const [title, text] = ENDED[state ?? 'unknown'];
  const login = html`<p><a href="${account}" class="button">${texts.text('action.log_in')}</a></p>`;
  return shell(
    { look, title: texts.text(title) },
    html`<p>${texts.text(text)}</p>
      ${state === 'accepted' ? login : undefined}`,
  );
}

interface UndoProofs {
  readonly password: boolean;
  readonly totp: boolean;
  readonly passkey: boolean;
  /** Whether the account had proofs and none of them is left. */
  readonly isLost: boolean;
}

interface UndoPage {
  readonly look: Look;
  /** Against forgery. */
  readonly field: Html;
  /** Of the message. */
  readonly token: string;
  readonly tenantName: string;
  /** The proofs that the account had before the change. If all are false, a button is enough. */
  readonly proofs: UndoProofs;
  /** Whether the submitted proof is wrong. */
  readonly isWrong?: boolean;
}

/** Asks for a proof from before the change. Email scanners also open this page, so only a button undoes the change. */
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

/** For an account without a usable proof from before the change: a button if it never had a proof. */
function withoutProof(page: UndoPage): Html {
  const { texts } = page.look;
  if (page.proofs.isLost) {
    return html`<p>${texts.text('undo.lost', { tenant: page.tenantName })}</p>`;
  }
  return undoForm(page, button('undo', texts.text('undo.submit')));
}

function passkeyForm(page: UndoPage): Html {
  const { texts } = page.look;
  const isOnly = !page.proofs.password && !page.proofs.totp;
  const text = texts.text(isOnly ? 'undo.passkey' : 'undo.or_passkey');
  const look = isOnly ? undefined : 'second';
  return undoForm(
    page,
    html`<p ${isOnly ? undefined : html`class="alt"`}>${text}</p>`,
    button('passkey', texts.text('login.passkey'), { look }),
  );
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
  return undoForm(
    page,
    html`<p>${texts.text('undo.proof')}</p>`,
    field({
      name: 'secret',
      type: 'password',
      label: texts.text('field.password'),
      autocomplete: 'current-password',
    }),
    button('undo', texts.text('undo.submit'), { id: 'undo-by-password' }),
  );
}

function codeForm(page: UndoPage): Html {
  const { texts } = page.look;
  const isSecond = page.proofs.password;
  const look = isSecond ? 'second' : undefined;
  return undoForm(
    page,
    html`${isSecond ? html`<p class="alt">${texts.text('undo.or_code')}</p>` : undefined}`,
    field({
      name: 'code',
      label: texts.text('step.totp'),
      autocomplete: 'one-time-code',
      isNumeric: true,
    }),
    button('undo', texts.text('undo.submit'), { id: 'undo-by-code', look }),
  );
}

function undoForm(page: UndoPage, ...parts: readonly Html[]): Html {
  return html`<form method="post" action="undo">${fieldsOf(page)}${parts}</form>`;
}

function fieldsOf({ field: guard, token }: UndoPage): Html {
  return html`${guard}<input type="hidden" name="token" value="${token}" />`;
}

interface UndoneEnd {
  readonly look: Pick<Look, 'texts'> & Partial<Look>;
  /** `ended`: the token undoes nothing, or no longer. */
  readonly state: 'done' | 'ended';
  /** The path of the page where the user logs in. */
  readonly account: string;
}

/** The page after the change was undone, or with the reason why it cannot be undone. */
export function undoneView({ look, state, account }: UndoneEnd): Html {
  const { texts } = look;
  return shell(
    { look, title: texts.text(`undo.${state}_title`) },
    html`<p>${texts.text(`undo.${state}`)}</p>
      <p><a href="${account}" class="button">${texts.text('action.log_in')}</a></p>`,
  );
}

/** The sign of the service itself, which no tenant has replaced yet. */
const SERVICE = html`<svg
    viewBox="0 0 24 24"
    width="40"
    height="40"
    fill="none"
    stroke="currentColor"
    stroke-width="2.4"
    aria-hidden="true"
  >
    <path d="M5 2v20M5 13.5 17 4M9.6 10 18 21M5 18h4M5 21.8h4" />
    <circle cx="18.4" cy="4.2" r="2.4" fill="currentColor" stroke="none" /></svg
  ><span>Keywright</span>`;

interface FirstLoginPage {
  readonly look: Look;
  /** Against forgery. */
  readonly field: Html;
  readonly token: string;
  /** The identifier of the administrator. */
  readonly identifier: string;
}

/** Browsers prefetch URLs, so only the button logs the user in. */
export function firstLoginView({ look, field: guard, token, identifier }: FirstLoginPage): Html {
  const { texts } = look;
  return shell(
    { look, title: texts.text('first_login.title'), sign: SERVICE },
    html`<p>${texts.html('first_login.as', { identifier })}</p>
      <form method="post" action="first-login">
        ${guard}<input type="hidden" name="token" value="${token}" />
        ${button('log_in', texts.text('action.log_in'), { id: 'first-login' })}
      </form>
      <p class="hint">${texts.text('first_login.once')}</p>`,
  );
}

/** The link was used, is too old, or was never printed: the page does not reveal which. */
export function endedFirstLoginView(look: Pick<Look, 'texts'> & Partial<Look>): Html {
  const { texts } = look;
  return shell(
    { look, title: texts.text('link.ended_title'), sign: SERVICE },
    html`<p>${texts.text('first_login.ended')}</p>
      <p><a href="/console" class="button">${texts.text('action.log_in')}</a></p>`,
  );
}

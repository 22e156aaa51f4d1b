import type { InvitationState } from '@keywright/contract/records/invitation';
import { type Html, html } from '../../../platform/http/pages/html.ts';
import type { Look } from '../brand/index.ts';
import { button } from './parts.ts';
import { shell } from './shell.ts';

interface InvitationPage {
  readonly look: Look;
  /** Against forgery. */
  readonly field: Html;
  /** Of the invitation. */
  readonly token: string;
  readonly tenantName: string;
  /** Who is invited. */
  readonly identifier: string;
  /** Undefined: somebody who has no name here. */
  readonly inviter: string | undefined;
}

/** Who invites whom to what. Scanners of mail come here, too: only the button begins something. */
export function invitationView(page: InvitationPage): Html {
  const { look, inviter, tenantName: tenant } = page;
  const { texts } = look;
  const lead =
    inviter === undefined
      ? texts.html('invitation.lead', { tenant })
      : texts.html('invitation.lead_by', { inviter, tenant });
  return shell(
    { look, title: texts.text('invitation.title', { tenant }), lead },
    html`<p>${texts.html('invitation.for', { identifier: page.identifier })}</p>
      <form method="post" action="invitation">
        ${page.field}<input type="hidden" name="token" value="${page.token}" />
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
  /** Undefined: the token is of no invitation. */
  readonly state: Exclude<InvitationState, 'pending'> | undefined;
  /** Path of the page on which its user logs in. */
  readonly account: string;
}

/** Why an invitation can no longer be accepted. Only whoever has its token is told. */
export function endedInvitationView({ look, state, account }: EndedPage): Html {
  const { texts } = look;
  const [title, text] = ENDED[state ?? 'unknown'];
  const login = html`<p><a href="${account}">${texts.text('action.log_in')}</a></p>`;
  return shell(
    { look, title: texts.text(title) },
    html`<p>${texts.text(text)}</p>
      ${state === 'accepted' ? login : undefined}`,
  );
}

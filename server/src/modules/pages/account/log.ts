import type { AuditAction } from '@keywright/contract/audit';
import { listOwnLog } from '@keywright/contract/routes/audit';
import { html } from '../../../platform/http/pages/html.ts';
import { list, time } from './parts.ts';
import type { Section } from './section.ts';

const ENTRIES = 20;

/** Actions that have words; others are shown by their names. */
const ACTS = [
  'auth.login',
  'auth.login_failed',
  'auth.logout',
  'auth.stepped_up',
  'auth.code_redeemed',
  'auth.token_exchanged',
  'auth.identity_asserted',
  'auth.assertion_redeemed',
  'auth.denied',
  'auth.message_sent',
  'user.created',
  'user.updated',
  'user.recovered',
  'user.export_requested',
  'user.exported',
  'identifier.added',
  'identifier.removed',
  'identifier.verified',
  'identifier.made_primary',
  'factor.begun',
  'factor.added',
  'factor.updated',
  'factor.removed',
  'identity.linked',
  'identity.unlinked',
  'session.revoked',
  'delegation.created',
  'delegation.revoked',
  'consent.granted',
  'consent.revoked',
  'workspace.member_added',
  'workspace.member_removed',
  'invitation.accepted',
  'invitation.declined',
] as const satisfies readonly AuditAction[];
type Act = (typeof ACTS)[number];

function isAct(action: AuditAction): action is Act {
  return ACTS.some((act) => act === action);
}

/** What was done to the account, by whom and from where. */
export const log: Section = {
  actions: {},
  async show(api, { texts }, { cursor }) {
    const query = { limit: ENTRIES, ...(cursor !== undefined && { cursor }) };
    const { items, meta } = await api.call(listOwnLog, { params: {}, query, body: undefined });
    const shown = items.map(({ action, actor, address, count, created_at: at }) => ({
      title: isAct(action) ? texts.text(`log.act.${action}`) : html`<code>${action}</code>`,
      lines: [
        address === null
          ? time(at, texts)
          : texts.html('log.from', { time: time(at, texts), address: html`<bdi>${address}</bdi>` }),
        actor.id === api.login.userId || actor.kind === 'anonymous'
          ? undefined
          : texts.text(`log.by.${actor.kind}`),
        count > 1 ? texts.text('log.times', { count }) : undefined,
      ],
    }));
    const { next_cursor: next } = meta;
    return html`${list(shown, texts.text('log.none'))}
    ${next === undefined ? undefined : html`<p><a href="account?section=log&amp;cursor=${next}" id="older">${texts.text('log.older')}</a></p>`}`;
  },
};

import type { AuditAction } from '@keywright/contract/audit';
import { AppError } from '@keywright/contract/errors';
import { listOwnLog } from '@keywright/contract/routes/audit';
import { deleteSession, listSessions } from '@keywright/contract/routes/sessions';
import { html } from '../../../platform/http/pages/html.ts';
import { browserOf } from '../../branding/views/index.ts';
import { action, list, time, type OwnApi, NOTHING, type Section } from './account-section.ts';

/** Sessions per page. Each session has a form: with more of them, the page would exceed 14 KB. */
const SHOWN = 12;
const MOST = 100;

/** The user's active sessions. */
export const sessions: Section = {
  async show(api, carried, { cursor }) {
    const { texts } = carried;
    const { items, meta } = await openSessions(api, SHOWN, cursor);
    const shown = items.map(({ id, device_info: device, auth_time: at, client_id: client }) => {
      const isThis = id === api.login.sessionId;
      return {
        title: isThis
          ? texts.text('sessions.this')
          : (browserOf(device.user_agent, texts) ?? texts.text('sessions.unknown')),
        lines: [
          texts.html('sessions.from', {
            address: html`<bdi>${device.ip_address}</bdi>`,
            time: time(at, texts),
          }),
          client === null ? undefined : texts.text('sessions.by_app'),
        ],
        actions: isThis
          ? []
          : [
              action(carried, 'end_session', texts.text('sessions.end'), {
                hidden: { id },
                look: 'danger',
              }),
            ],
      };
    });
    const { next_cursor: next } = meta;
    return html`${list(shown, texts.text('sessions.none'))}
    ${next === undefined ? undefined : html`<p><a href="account?section=sessions&amp;cursor=${next}" id="older">${texts.text('sessions.older')}</a></p>`}
    ${meta.total > 1 ? action(carried, 'end_others', texts.text('sessions.end_others'), { look: 'second' }) : undefined}`;
  },
  actions: {
    async end_session(api, { id = '' }) {
      await api.call(deleteSession, { params: { session_id: id }, query: {}, body: undefined });
      return { done: 'session_ended' };
    },
    async end_others(api) {
      // There may be more sessions than one page lists.
      while ((await endSome(api)) > 0);
      return { done: 'sessions_ended' };
    },
  },
};

/** Lists the user's active sessions, newest first. */
export function openSessions(api: OwnApi, limit: number, cursor?: string) {
  const query = { is_active: 'true' as const, limit, ...(cursor !== undefined && { cursor }) };
  return api.call(listSessions, { ...NOTHING, query });
}

/** Ends the newest sessions other than the current one. @returns the number of sessions ended by this call */
async function endSome(api: OwnApi): Promise<number> {
  const { items } = await openSessions(api, MOST);
  const others = items.filter(({ id }) => id !== api.login.sessionId);
  let ended = 0;
  for (const { id } of others) {
    const request = { params: { session_id: id }, query: {}, body: undefined };
    try {
      await api.call(deleteSession, request);
      ended += 1;
    } catch (error) {
      // The session may have ended meanwhile, together with its parent session.
      if (!(error instanceof AppError && error.code === 'NOT_FOUND')) throw error;
    }
  }
  return ended;
}

const ENTRIES = 20;

/** Actions with a translated description; others are shown by their names. */
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

function isAct(name: AuditAction): name is Act {
  return ACTS.some((act) => act === name);
}

/** Actions on the account, with their actors and addresses. */
export const log: Section = {
  actions: {},
  async show(api, { texts }, { cursor }) {
    const query = { limit: ENTRIES, ...(cursor !== undefined && { cursor }) };
    const { items, meta } = await api.call(listOwnLog, { params: {}, query, body: undefined });
    const shown = items.map(({ action: act, actor, address, count, created_at: at }) => ({
      title: isAct(act) ? texts.text(`log.act.${act}`) : html`<code>${act}</code>`,
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

import { AppError } from '@keywright/contract/errors';
import { deleteSession, listSessions } from '@keywright/contract/routes/sessions';
import { html } from '../../../platform/http/pages/html.ts';
import { browserOf } from '../../branding/views/index.ts';
import { action, list, time } from './parts.ts';
import type { OwnApi } from './own-api.ts';
import { NOTHING, type Section } from './section.ts';

/** On a page. Each comes with a form: with more, the page would weigh over 14 KB. */
const SHOWN = 12;
const MOST = 100;

/** Where the user is logged in. */
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
      // There may be more than one page of them.
      while ((await endSome(api)) > 0);
      return { done: 'sessions_ended' };
    },
  },
};

/** Those that have neither ended nor expired, the newest first. */
export function openSessions(api: OwnApi, limit: number, cursor?: string) {
  const query = { is_active: 'true' as const, limit, ...(cursor !== undefined && { cursor }) };
  return api.call(listSessions, { ...NOTHING, query });
}

/** Ends the newest others. @returns how many have ended by that */
async function endSome(api: OwnApi): Promise<number> {
  const { items } = await openSessions(api, MOST);
  const others = items.filter(({ id }) => id !== api.login.sessionId);
  let ended = 0;
  for (const { id } of others) {
    const asked = { params: { session_id: id }, query: {}, body: undefined };
    try {
      await api.call(deleteSession, asked);
      ended += 1;
    } catch (error) {
      // It may have ended meanwhile, with the session that it was opened from.
      if (!(error instanceof AppError && error.code === 'NOT_FOUND')) throw error;
    }
  }
  return ended;
}

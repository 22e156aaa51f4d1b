import { AppError } from '@keywright/contract/errors';
import { deleteSession, listSessions } from '@keywright/contract/routes/sessions';
import { html } from '../../../platform/http/pages/html.ts';
import { browserOf } from '../hosted/index.ts';
import { action, list, time } from './parts.ts';
import type { OwnApi } from './own-api.ts';
import { NOTHING, type Section } from './section.ts';

/** Where the user is logged in. */
export const sessions: Section = {
  async show(api, carried) {
    const { texts } = carried;
    const { items } = await openSessions(api);
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
    const hasOthers = items.some(({ id }) => id !== api.login.sessionId);
    return html`${list(shown, texts.text('sessions.none'))}
    ${hasOthers ? action(carried, 'end_others', texts.text('sessions.end_others'), { look: 'second' }) : undefined}`;
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

/** The newest of those that have neither ended nor expired, and how many there are. */
export async function openSessions(api: OwnApi) {
  const query = { is_active: 'true', limit: 100 } as const;
  const { items, meta } = await api.call(listSessions, { ...NOTHING, query });
  return { items, total: meta.total };
}

/** Ends the newest others. @returns how many have ended by that */
async function endSome(api: OwnApi): Promise<number> {
  const { items } = await openSessions(api);
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

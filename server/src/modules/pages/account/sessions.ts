import { AppError } from '@keywright/contract/errors';
import { deleteSession, listSessions } from '@keywright/contract/routes/sessions';
import { html } from '../../../platform/http/pages/html.ts';
import { browserOf } from '../hosted/index.ts';
import { action, list, time } from './parts.ts';
import { type Section, WHOLE } from './section.ts';

/** Where the user is logged in. */
export const sessions: Section = {
  async show(api, carried) {
    const { items } = await api.call(listSessions, WHOLE);
    const shown = items.map(({ id, device_info: device, auth_time: at, client_id: client }) => {
      const isThis = id === api.login.sessionId;
      return {
        title: isThis ? 'This browser' : capitalized(browserOf(device.user_agent)),
        lines: [
          html`From <bdi>${device.ip_address}</bdi>, since ${time(at)}`,
          client === null ? undefined : 'Opened by an app',
        ],
        actions: isThis
          ? []
          : [
              action(carried, 'end_session', 'End this session', {
                hidden: { id },
                look: 'danger',
              }),
            ],
      };
    });
    const hasOthers = items.some(({ id }) => id !== api.login.sessionId);
    return html`${list(shown, 'There is no session.')}
    ${hasOthers ? action(carried, 'end_others', 'End all other sessions', { look: 'second' }) : undefined}`;
  },
  actions: {
    async end_session(api, { id = '' }) {
      await api.call(deleteSession, { params: { session_id: id }, query: {}, body: undefined });
      return { done: 'session_ended' };
    },
    async end_others(api) {
      const { items } = await api.call(listSessions, WHOLE);
      for (const { id } of items.filter((one) => one.id !== api.login.sessionId)) {
        const asked = { params: { session_id: id }, query: {}, body: undefined };
        // One may have ended meanwhile, with the session that it was opened from.
        await api.call(deleteSession, asked).catch(ignoreGone);
      }
      return { done: 'sessions_ended' };
    },
  },
};

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function ignoreGone(error: unknown): void {
  const isGone = error instanceof AppError && error.code === 'NOT_FOUND';
  if (!isGone) throw error;
}

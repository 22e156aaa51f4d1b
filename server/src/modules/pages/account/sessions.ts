import { AppError } from '@keywright/contract/errors';
import type { OkOf, QueryOf } from '@keywright/contract/route';
import type { SessionRecord } from '@keywright/contract/records/session';
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
    const items = await openSessions(api);
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
      const items = await openSessions(api);
      for (const { id } of items.filter((one) => one.id !== api.login.sessionId)) {
        const asked = { params: { session_id: id }, query: {}, body: undefined };
        // One may have ended meanwhile, with the session that it was opened from.
        await api.call(deleteSession, asked).catch(ignoreGone);
      }
      return { done: 'sessions_ended' };
    },
  },
};

/** Those that have neither ended nor expired, however many have. */
export async function openSessions(api: OwnApi): Promise<readonly SessionRecord[]> {
  const open: SessionRecord[] = [];
  let cursor: string | undefined;
  do {
    const query: QueryOf<typeof listSessions> = { limit: 100, ...(cursor && { cursor }) };
    const page: OkOf<typeof listSessions> = await api.call(listSessions, { ...NOTHING, query });
    open.push(...page.items.filter((one) => one.is_active));
    cursor = page.meta.next_cursor;
  } while (cursor !== undefined);
  return open;
}

function ignoreGone(error: unknown): void {
  const isGone = error instanceof AppError && error.code === 'NOT_FOUND';
  if (!isGone) throw error;
}

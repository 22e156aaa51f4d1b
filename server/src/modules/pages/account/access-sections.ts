import type { AuditAction } from '@keywright/contract/audit';
import { AppError } from '@keywright/contract/errors';
import type { AgentId } from '@keywright/contract/ids';
import { listOwnLog } from '@keywright/contract/routes/audit';
import { deleteOwnConsent, listOwnConsents } from '@keywright/contract/routes/consents';
import {
  DEFAULT_DELEGATION_DAYS,
  createDelegation,
  deleteDelegation,
  listDelegations,
  previewDelegation,
} from '@keywright/contract/routes/delegations';
import { deleteSession, listSessions } from '@keywright/contract/routes/sessions';
import { type Html, html } from '../../../platform/http/pages/html.ts';
import type { Texts } from '../../../platform/texts/texts.ts';
import { browserOf, meaningOf } from '../../branding/views/index.ts';
import {
  type AgentRequest,
  type Carried,
  NOTHING,
  type UserApi,
  type Section,
  WHOLE,
  action,
  card,
  list,
  time,
} from './account-section.ts';

/** Sessions per page. Each session has a form: with more of them, the page would exceed 14 KB. */
const SHOWN = 10;
const MOST = 100;

/** The user's active sessions. */
export const sessions: Section = {
  async show(api, carried, { cursor }) {
    const { texts } = carried;
    const { items, meta } = await openSessions(api, SHOWN, cursor);
    const shown = items.map(({ id, device_info: device, client_id: client, ...session }) => {
      const isThis = id === api.login.sessionId;
      const name = browserOf(device.user_agent, texts);
      return {
        icon: isPhone(device.user_agent) ? ('phone' as const) : ('desktop' as const),
        title: name ?? texts.text('sessions.unknown'),
        marks: [
          isThis ? html`<span class="mark ok">${texts.text('sessions.this')}</span>` : undefined,
        ],
        lines: [
          texts.html('sessions.used', { time: time(session.last_used_at, texts) }),
          texts.html('sessions.from', {
            address: html`<bdi>${device.ip_address}</bdi>`,
            time: time(session.auth_time, texts),
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
    return html`${card({ icon: 'desktop', title: texts.text('sessions.active') }, list(shown, texts.text('sessions.none')))}
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
      while ((await endBatch(api)) > 0);
      return { done: 'sessions_ended' };
    },
  },
};

function isPhone(userAgent: string | null): boolean {
  return /iPhone|Android|Mobile/.test(userAgent ?? '');
}

/** Lists the user's active sessions, newest first. */
export function openSessions(api: UserApi, limit: number, cursor?: string) {
  const query = { is_active: 'true' as const, limit, ...(cursor !== undefined && { cursor }) };
  return api.call(listSessions, { ...NOTHING, query });
}

/** Ends the newest sessions other than the current one. @returns the number of sessions ended by this call */
async function endBatch(api: UserApi): Promise<number> {
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
    return html`${card({ icon: 'history', title: texts.text('account.section.log') }, list(shown, texts.text('log.none')))}
    ${next === undefined ? undefined : html`<p><a href="account?section=log&amp;cursor=${next}" id="older">${texts.text('log.older')}</a></p>`}`;
  },
};

/** The meanings of scopes. */
function inWords(scopes: readonly string[], texts: Texts): Html {
  const meanings = scopes.map((scope) => meaningOf({ scope }, texts));
  return html`${meanings.map((meaning, index) => html`${index === 0 ? undefined : ' · '}${meaning}`)}`;
}

/** Applications that the user logged in to. */
export const apps: Section = {
  async show(api, carried) {
    const { texts } = carried;
    const { items } = await api.call(listOwnConsents, WHOLE);
    const shown = items.map(({ id, client_name: name, scopes, created_at: at }) => ({
      title: html`<bdi id="app-${id}">${name}</bdi>`,
      actionsOf: `app-${id}`,
      lines: [inWords(scopes, texts), texts.html('apps.since', { time: time(at, texts) })],
      actions: [
        action(carried, 'end_app', texts.text('apps.end'), {
          hidden: { id },
          look: 'danger',
        }),
      ],
    }));
    return card(
      { icon: 'apps', title: texts.text('account.section.apps') },
      list(shown, texts.text('apps.none')),
    );
  },
  actions: {
    async end_app(api, { id = '' }) {
      await api.call(deleteOwnConsent, { params: { consent_id: id }, query: {}, body: undefined });
      return { done: 'app_ended' };
    },
  },
};

/** The agents that act for the user. */
export const agents: Section = {
  async show(api, carried, { agentRequest }) {
    const { texts } = carried;
    if (agentRequest) return delegationPrompt(api, carried, agentRequest);
    const { items } = await api.call(listDelegations, WHOLE);
    const shown = items.map(
      ({
        id,
        agent_name: name,
        scopes,
        created_at: at,
        expires_at: until,
        last_used_at: used,
      }) => ({
        title: html`<bdi id="agent-${id}">${name}</bdi>`,
        actionsOf: `agent-${id}`,
        lines: [
          texts.html('agents.may', { scopes: inWords(scopes, texts) }),
          texts.html('agents.period', { since: time(at, texts), until: time(until, texts) }),
          used === null
            ? texts.text('agents.never_acted')
            : texts.html('agents.acted', { time: time(used, texts) }),
        ],
        actions: [
          action(carried, 'end_agent', texts.text('agents.end'), {
            hidden: { id },
            look: 'danger',
          }),
        ],
      }),
    );
    return card(
      { icon: 'agent', title: texts.text('account.section.agents') },
      html`<p class="hint">${texts.text('agents.recorded')}</p>`,
      list(shown, texts.text('agents.none')),
    );
  },
  actions: {
    /** @throws AppError VALIDATION_FAILED if the route's schema rejects a value */
    async allow_agent(api, { agent = '', scope = '', days = '' }) {
      const body = {
        agent_id: agent as AgentId,
        scopes: scope.split(' '),
        expires_in_days: Number(days),
      };
      await api.lend(createDelegation, { params: {}, query: {}, body });
      return { done: 'agent_allowed' };
    },
    async deny_agent() {
      return { done: 'agent_denied' };
    },
    async end_agent(api, { id = '' }) {
      const params = { delegation_id: id };
      await api.call(deleteDelegation, { params, query: {}, body: undefined });
      return { done: 'agent_ended' };
    },
  },
};

const DAY_MS = 24 * 60 * 60 * 1000;

/** Asks the user whether an agent may act for them, with the scopes that both the user and the agent have. */
async function delegationPrompt(
  api: UserApi,
  carried: Carried,
  { agent, scope, days = DEFAULT_DELEGATION_DAYS }: AgentRequest,
): Promise<Html> {
  const { texts, now } = carried;
  const preview = await previewOf(api, agent, scope);
  if (!preview) return html`<p>${texts.text('agents.ask_nothing')}</p>`;
  const { agent_name: name, scopes, delegation_id: former } = preview;
  const until = time(new Date(now.getTime() + days * DAY_MS), texts);
  const hidden = { agent, scope: scopes.join(' '), days: String(days) };
  return html`<h2>${texts.html('agents.ask', { agent: name })}</h2>
    <ul>
      ${scopes.map((scopeName) => html`<li>${meaningOf({ scope: scopeName }, texts)}</li>`)}
    </ul>
    <p class="hint">${texts.html('agents.ask_until', { time: until })}</p>
    ${former === null ? undefined : html`<p class="hint">${texts.text('agents.ask_replaces')}</p>`}
    <div class="do">
      ${action(carried, 'allow_agent', texts.text('consent.allow'), { hidden })}
      ${action(carried, 'deny_agent', texts.text('consent.deny'), { look: 'second' })}
    </div>`;
}

async function previewOf(api: UserApi, agent: AgentId, scope: string) {
  const request = { params: { agent_id: agent }, query: { scope }, body: undefined };
  try {
    return await api.lend(previewDelegation, request);
  } catch (error) {
    if (error instanceof AppError && error.code === 'NOT_FOUND') return undefined;
    throw error;
  }
}

import { AppError } from '@keywright/contract/errors';
import type { AgentId } from '@keywright/contract/ids';
import { deleteOwnConsent, listOwnConsents } from '@keywright/contract/routes/consents';
import {
  createDelegation,
  deleteDelegation,
  listDelegations,
  DEFAULT_DELEGATION_DAYS,
  previewDelegation,
} from '@keywright/contract/routes/delegations';
import { type Html, html } from '../../../platform/http/pages/html.ts';
import type { Texts } from '../../../platform/texts/texts.ts';
import { meaningOf } from '../../branding/views/index.ts';
import {
  action,
  list,
  time,
  type Section,
  WHOLE,
  type OwnApi,
  type Carried,
  type AgentRequest,
} from './account-section.ts';

/** The meanings of scopes. */
function inWords(scopes: readonly string[], texts: Texts): Html {
  const meanings = scopes.map((scope) => meaningOf({ scope }, texts));
  return html`${meanings.map((one, index) => html`${index === 0 ? undefined : ' · '}${one}`)}`;
}

/** Applications that the user logged in to. */
export const apps: Section = {
  async show(api, carried) {
    const { texts } = carried;
    const { items } = await api.call(listOwnConsents, WHOLE);
    const shown = items.map(({ id, client_name: name, scopes, created_at: at }) => ({
      title: html`<bdi>${name}</bdi>`,
      lines: [inWords(scopes, texts), texts.html('apps.since', { time: time(at, texts) })],
      actions: [
        action(carried, 'end_app', texts.html('apps.end', { app: name }), {
          hidden: { id },
          look: 'danger',
        }),
      ],
    }));
    return list(shown, texts.text('apps.none'));
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
    if (agentRequest) return askFor(api, carried, agentRequest);
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
        title: html`<bdi>${name}</bdi>`,
        lines: [
          texts.html('agents.may', { scopes: inWords(scopes, texts) }),
          texts.html('agents.period', { since: time(at, texts), until: time(until, texts) }),
          used === null
            ? texts.text('agents.never_acted')
            : texts.html('agents.acted', { time: time(used, texts) }),
        ],
        actions: [
          action(carried, 'end_agent', texts.html('agents.end', { agent: name }), {
            hidden: { id },
            look: 'danger',
          }),
        ],
      }),
    );
    return html`<p class="hint">${texts.text('agents.recorded')}</p>
      ${list(shown, texts.text('agents.none'))}`;
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
async function askFor(
  api: OwnApi,
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
    <p class="hint"><code>${agent}</code></p>
    <ul>
      ${scopes.map((one) => html`<li>${meaningOf({ scope: one }, texts)}</li>`)}
    </ul>
    <p class="hint">${texts.html('agents.ask_until', { time: until })}</p>
    ${former === null ? undefined : html`<p class="hint">${texts.text('agents.ask_replaces')}</p>`}
    ${action(carried, 'allow_agent', texts.text('consent.allow'), { hidden })}
    ${action(carried, 'deny_agent', texts.text('consent.deny'), { look: 'second' })}`;
}

async function previewOf(api: OwnApi, agent: AgentId, scope: string) {
  const request = { params: { agent_id: agent }, query: { scope }, body: undefined };
  try {
    return await api.lend(previewDelegation, request);
  } catch (error) {
    if (error instanceof AppError && error.code === 'NOT_FOUND') return undefined;
    throw error;
  }
}

import { AppError } from '@keywright/contract/errors';
import type { AgentId } from '@keywright/contract/ids';
import { DEFAULT_DELEGATION_DAYS, previewDelegation } from '@keywright/contract/routes/delegations';
import { type Html, html } from '../../../platform/http/pages/html.ts';
import { meaningOf } from '../../branding/views/index.ts';
import type { OwnApi } from './own-api.ts';
import { action, type Carried, time } from './parts.ts';
import type { AgentRequest } from './section.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

/** May this agent act in the name of the user? Asked only for what both of them hold. */
export async function askFor(
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
  const asked = { params: { agent_id: agent }, query: { scope }, body: undefined };
  try {
    return await api.lend(previewDelegation, asked);
  } catch (error) {
    if (error instanceof AppError && error.code === 'NOT_FOUND') return undefined;
    throw error;
  }
}

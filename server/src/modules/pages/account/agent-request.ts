import { DEFAULT_DELEGATION_DAYS, previewDelegation } from '@keywright/contract/routes/delegations';
import { type Html, html } from '../../../platform/http/pages/html.ts';
import { meaningOf } from '../hosted/index.ts';
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
  const asked = { params: { agent_id: agent }, query: { scope }, body: undefined };
  const {
    agent_name: name,
    scopes,
    delegation_id: former,
  } = await api.lend(previewDelegation, asked);
  const title = html`<h2>${texts.html('agents.ask', { agent: name })}</h2>`;
  if (scopes.length === 0)
    return html`${title}
      <p>${texts.text('agents.ask_nothing')}</p>`;
  const until = time(new Date(now.getTime() + days * DAY_MS), texts);
  const hidden = { agent, scope: scopes.join(' '), days: String(days) };
  return html`${title}
    <p class="hint"><code>${agent}</code></p>
    <ul>
      ${scopes.map((one) => html`<li>${meaningOf({ scope: one }, texts)}</li>`)}
    </ul>
    <p class="hint">${texts.html('agents.ask_until', { time: until })}</p>
    ${former === null ? undefined : html`<p class="hint">${texts.text('agents.ask_replaces')}</p>`}
    ${action(carried, 'allow_agent', texts.text('consent.allow'), { hidden })}
    ${action(carried, 'deny_agent', texts.text('consent.deny'), { look: 'second' })}`;
}

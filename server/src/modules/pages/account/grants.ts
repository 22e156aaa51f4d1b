import { deleteOwnConsent, listOwnConsents } from '@keywright/contract/routes/consents';
import { deleteDelegation, listDelegations } from '@keywright/contract/routes/delegations';
import { html } from '../../../platform/http/pages/html.ts';
import { action, list, time } from './parts.ts';
import { type Section, WHOLE } from './section.ts';

/** Applications that the user logged in to. */
export const apps: Section = {
  async show(api, carried) {
    const { items } = await api.call(listOwnConsents, WHOLE);
    const shown = items.map(({ id, client_name: name, scopes, created_at: at }) => ({
      title: html`<bdi>${name}</bdi>`,
      lines: [html`<code>${scopes.join(' ')}</code>`, html`Since ${time(at)}`],
      actions: [
        action(carried, 'end_app', `End the access of ${name}`, { hidden: { id }, look: 'danger' }),
      ],
    }));
    return list(shown, 'No app uses your account.');
  },
  actions: {
    async end_app(api, { id = '' }) {
      await api.call(deleteOwnConsent, { params: { consent_id: id }, query: {}, body: undefined });
      return { done: 'app_ended' };
    },
  },
};

/** Agents that act in the name of the user. */
export const agents: Section = {
  async show(api, carried) {
    const { items } = await api.call(listDelegations, WHOLE);
    const shown = items.map(
      ({ id, agent_id: agent, scopes, created_at: at, expires_at: until }) => ({
        title: html`<code>${agent}</code>`,
        lines: [
          html`May: <code>${scopes.join(' ')}</code>`,
          html`Since ${time(at)}, until ${time(until)}`,
        ],
        actions: [action(carried, 'end_agent', 'End', { hidden: { id }, look: 'danger' })],
      }),
    );
    return html`<p class="hint">
        What an agent does for you is recorded in your name and in its own.
      </p>
      ${list(shown, 'No agent acts for you.')}`;
  },
  actions: {
    async end_agent(api, { id = '' }) {
      const params = { delegation_id: id };
      await api.call(deleteDelegation, { params, query: {}, body: undefined });
      return { done: 'agent_ended' };
    },
  },
};

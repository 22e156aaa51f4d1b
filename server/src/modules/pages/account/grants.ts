import { deleteOwnConsent, listOwnConsents } from '@keywright/contract/routes/consents';
import { deleteDelegation, listDelegations } from '@keywright/contract/routes/delegations';
import { html } from '../../../platform/http/pages/html.ts';
import { action, list, time } from './parts.ts';
import { type Section, WHOLE } from './section.ts';

/** Applications that the user logged in to. */
export const apps: Section = {
  async show(api, carried) {
    const { texts } = carried;
    const { items } = await api.call(listOwnConsents, WHOLE);
    const shown = items.map(({ id, client_name: name, scopes, created_at: at }) => ({
      title: html`<bdi>${name}</bdi>`,
      lines: [
        html`<code>${scopes.join(' ')}</code>`,
        texts.html('apps.since', { time: time(at, texts) }),
      ],
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

/** Agents that act in the name of the user. */
export const agents: Section = {
  async show(api, carried) {
    const { texts } = carried;
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
          texts.html('agents.may', { scopes: html`<code>${scopes.join(' ')}</code>` }),
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
    async end_agent(api, { id = '' }) {
      const params = { delegation_id: id };
      await api.call(deleteDelegation, { params, query: {}, body: undefined });
      return { done: 'agent_ended' };
    },
  },
};

import type { AccountDeletion } from '@keywright/contract/records/account-deletion';
import { deleteOwnAccount, previewDeletion } from '@keywright/contract/routes/own-account';
import { type Html, html } from '../../../platform/http/pages/html.ts';
import type { Texts } from '../../../platform/texts/texts.ts';
import { copyActions, copyPart } from './copy.ts';
import { action, type Carried, confirmFirst, input } from './parts.ts';
import { NOTHING, type Section } from './section.ts';

/** What the user may take along, and the end of the account. */
export const data: Section = {
  async show(api, carried) {
    const { texts } = carried;
    const ending = await api.call(previewDeletion, NOTHING);
    return html`${await copyPart(api, carried)}
      <h2>${texts.text('data.delete')}</h2>
      ${ending.allowed ? deletion(carried, ending) : html`<p>${texts.text('account.problem.deletion_off')}</p>`}`;
  },
  actions: {
    ...copyActions,
    async delete_account(api, { identifier = '' }) {
      await api.call(deleteOwnAccount, { params: {}, query: {}, body: { identifier } });
      return { isDeleted: true };
    },
  },
};

function deletion(carried: Carried, ending: AccountDeletion): Html {
  const { texts } = carried;
  return html`<p>${texts.text('data.ends')}</p>
    <ul>
      ${linesOf(texts, ending).map((line) => html`<li>${line}</li>`)}
    </ul>
    ${
      carried.isFresh
        ? action(carried, 'delete_account', texts.text('data.delete_submit'), {
            fields: input('identifier', texts.text('data.type_address')),
            look: 'second',
          })
        : confirmFirst(carried, 'account.confirm_deletion')
    }`;
}

/** What goes, and what stays without its owner. */
function linesOf(texts: Texts, ending: AccountDeletion): Html[] {
  const { sessions, agents, api_keys: keys, delegations, consents, workspaces } = ending;
  const counted = [
    ['data.sessions', sessions.total, undefined],
    ['data.apps', consents, undefined],
    ['data.delegations', delegations.total, undefined],
    ['data.agents', agents.total, agents.items],
    ['data.keys', keys.total, undefined],
    ['data.workspaces', workspaces.length, workspaces],
  ] as const;
  return [
    ...counted
      .filter(([, count]) => count > 0)
      .map(([key, count, items]) => html`${texts.html(key, { count })}${inBrackets(texts, items)}`),
    ...workspaces
      .filter((one) => one.is_only_member)
      .map(({ name }) =>
        texts.html('data.empty_workspace', { workspace: html`<bdi>${name}</bdi>` }),
      ),
  ];
}

function inBrackets(texts: Texts, items?: readonly { readonly name: string }[]): Html | undefined {
  if (items === undefined || items.length === 0) return undefined;
  return html` (${texts.named(items.map(({ name }) => name))})`;
}

import { AppError } from '@keywright/contract/errors';
import type { AccountDeletion } from '@keywright/contract/records/account-deletion';
import type { ExportRecord } from '@keywright/contract/records/account-export';
import { getExport, readExport, requestExport } from '@keywright/contract/routes/account-export';
import { deleteAccount, previewDeletion } from '@keywright/contract/routes/own-account';
import { type Html, html } from '../../../platform/http/pages/html.ts';
import type { Texts } from '../../../platform/texts/texts.ts';
import {
  action,
  card,
  type Carried,
  confirmFirst,
  input,
  NOTHING,
  type Section,
  type UserApi,
  back,
  time,
} from './account-section.ts';

const copyActions: Section['actions'] = {
  async request_copy(api) {
    await api.call(requestExport, NOTHING);
    return { done: 'copy_requested' };
  },
  async show_copy(api, _fields, carried) {
    const { texts } = carried;
    const copy = JSON.stringify(await api.call(readExport, NOTHING), undefined, 2);
    // The copy is embedded in the page, so it has no URL that could be requested.
    const address = `data:application/json;base64,${Buffer.from(copy).toString('base64')}`;
    return {
      show: html`<p>${texts.text('data.copy_keep')}</p>
        <p>
          <a id="copy" href="${address}" class="button" download="account.json"
            >${texts.text('data.save_copy')}</a
          >
        </p>
        ${back(carried)}`,
    };
  },
};

/** A copy of the user's data, and the deletion of the account. */
export const data: Section = {
  async show(api, carried) {
    const { texts } = carried;
    const ending = await api.call(previewDeletion, NOTHING);
    return html`${await copyPart(api, carried)}
    ${card(
      { icon: 'bin', title: texts.text('data.delete') },
      ending.allowed
        ? deletion(carried, ending)
        : html`<p>${texts.text('account.problem.deletion_off')}</p>`,
    )}`;
  },
  actions: {
    ...copyActions,
    async delete_account(api, { identifier = '' }) {
      await api.call(deleteAccount, { params: {}, query: {}, body: { identifier } });
      return { isDeleted: true };
    },
  },
};

/** Lists what ends with the account, and asks for an address of its user. */
function deletion(carried: Carried, ending: AccountDeletion): Html {
  const { texts, isFresh } = carried;
  return html`<p>${texts.text('data.ends')}</p>
    <ul>
      ${linesOf(texts, ending).map((line) => html`<li>${line}</li>`)}
    </ul>
    ${
      isFresh
        ? action(carried, 'delete_account', texts.text('data.delete_submit'), {
            fields: input('identifier', texts.text('data.type_address')),
            look: 'final',
          })
        : confirmFirst(carried, 'account.confirm_deletion')
    }`;
}

/** Lists what is deleted, and what remains without its owner. */
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
      .filter((workspace) => workspace.is_only_member)
      .map(({ name }) =>
        texts.html('data.empty_workspace', { workspace: html`<bdi>${name}</bdi>` }),
      ),
  ];
}

function inBrackets(texts: Texts, items?: readonly { readonly name: string }[]): Html | undefined {
  if (items === undefined || items.length === 0) return undefined;
  return html` (${texts.named(items.map(({ name }) => name))})`;
}

/** Renders the state of the user's data copy, and its actions. */
async function copyPart(api: UserApi, carried: Carried): Promise<Html> {
  const { texts, isFresh } = carried;
  return card(
    { icon: 'download', title: texts.text('data.copy') },
    html`<p>${texts.text('data.copy_text')}</p>`,
    stateOf(await findCopy(api), carried),
    isFresh ? undefined : confirmFirst(carried, 'account.confirm_copy'),
  );
}

async function findCopy(api: UserApi): Promise<ExportRecord | undefined> {
  try {
    return await api.call(getExport, NOTHING);
  } catch (error) {
    if (error instanceof AppError && error.code === 'NOT_FOUND') return undefined;
    throw error;
  }
}

function stateOf(copy: ExportRecord | undefined, carried: Carried): Html | undefined {
  const { texts, isFresh } = carried;
  const requestCopy = action(carried, 'request_copy', texts.text('data.request_copy'), {
    look: 'second',
  });
  if (copy?.status === 'pending') {
    return html`<p class="hint">${texts.text('data.copy_pending')}</p>
      <p><a href="account?section=data">${texts.text('data.copy_again')}</a></p>`;
  }
  if (copy?.status === 'ready') {
    const until = time(copy.expires_at, texts);
    const show = action(carried, 'show_copy', texts.text('data.show_copy'), { look: 'second' });
    return html`<p class="hint">${texts.html('data.copy_ready', { until })}</p>
      ${isFresh ? show : undefined}`;
  }
  const failed = html`<p class="hint">${texts.text('data.copy_failed')}</p>`;
  return html`${copy && failed} ${isFresh ? requestCopy : undefined}`;
}

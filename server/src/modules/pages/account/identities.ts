import type { IdentityRecord } from '@keywright/contract/records/identity-provider';
import * as contract from '@keywright/contract/routes/identities';
import { type Html, html } from '../../../platform/http/pages/html.ts';
import { hasAWay, type Ways } from '../../authentication/login-methods/index.ts';
import { linkingPageOf } from '../../authentication/upstream-logins/index.ts';
import { offersUpstream } from '../../../tenancy/login-methods.ts';
import type { OwnApi } from './own-api.ts';
import { action, type Carried, list } from './parts.ts';
import { type Section, WHOLE } from './section.ts';

/** Accounts at identity providers that log the user in. Nothing where the tenant has no provider. */
export async function identitiesPart(
  api: OwnApi,
  carried: Carried,
  ways: Ways,
): Promise<Html | undefined> {
  const { texts, isFresh } = carried;
  const offered = offersUpstream(api.tenant) ? api.tenant.providers : [];
  const { items } = await api.call(contract.listIdentities, WHOLE);
  if (items.length + offered.length === 0) return undefined;
  const left = offered.filter(({ id }) => !items.some((one) => one.provider_id === id));
  const links = left.map(({ id, name }) =>
    action(carried, 'link_identity', texts.html('identities.link', { provider: name }), {
      hidden: { id },
      look: 'second',
    }),
  );
  return html`<h2>${texts.text('identities.title')}</h2>
    ${list(
      items.map((one) => itemOf(one, carried, hasAWay(api.tenant, without(one, ways)))),
      texts.text('identities.none'),
    )}
    ${isFresh ? links : undefined}`;
}

export const identityActions: Section['actions'] = {
  async link_identity(api, { id = '' }) {
    const body = { provider: id, return_url: linkingPageOf(api.tenant) };
    const asked = { params: {}, query: {}, body };
    const { authorize_url: address } = await api.call(contract.beginLinking, asked);
    return { leavesTo: new URL(address) };
  },
  async remove_identity(api, { id = '' }) {
    const asked = { params: { provider_id: id }, query: {}, body: undefined };
    await api.call(contract.deleteIdentity, asked);
    return { done: 'identity_removed' };
  },
};

/** The browser came back from a provider: only with what the same user went for. */
export async function finishLinking(api: OwnApi, handoff: string): Promise<void> {
  const asked = { params: {}, query: {}, body: { handoff } };
  await api.call(contract.finishLinking, asked);
}

/** One at an inactive provider is none that they count. */
function without({ is_active: isActive }: IdentityRecord, ways: Ways): Ways {
  return isActive ? { ...ways, identities: ways.identities - 1 } : ways;
}

function itemOf(
  { provider_id: id, name, is_active: isActive }: IdentityRecord,
  carried: Carried,
  isRemovable: boolean,
) {
  const { texts, isFresh } = carried;
  const remove = action(carried, 'remove_identity', texts.html('account.remove', { name }), {
    hidden: { id },
    look: 'danger',
  });
  return {
    title: html`<bdi>${name}</bdi>`,
    lines: [
      isActive ? undefined : texts.text('identities.inactive'),
      isRemovable ? undefined : texts.text('account.problem.last_login'),
    ],
    actions: isFresh && isRemovable ? [remove] : [],
  };
}

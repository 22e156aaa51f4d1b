import {
  deleteIdentifier,
  listIdentifiers,
  makePrimary,
  sendVerification,
  verifyIdentifier,
} from '@keywright/contract/routes/identifiers';
import type { IdentifierRecord } from '@keywright/contract/records/user';
import { type Html, html } from '../../../platform/http/pages/html.ts';
import { action, back, type Carried, confirmFirst, input, list } from './parts.ts';
import { NOTHING, type Section } from './section.ts';

/** E-mail addresses and phone numbers to log in with. */
export const addresses: Section = {
  async show(api, carried) {
    const { texts } = carried;
    const { identifiers } = await api.call(listIdentifiers, NOTHING);
    const items = identifiers.map(({ identifier, verified: isVerified }, place) => {
      const left = identifiers.filter((one) => one.identifier !== identifier);
      const stays = stayingOf(isVerified, left);
      const isPrimary = place === 0;
      return {
        title: html`<bdi>${identifier}</bdi>`,
        lines: [
          isPrimary ? texts.text('addresses.primary') : undefined,
          texts.text(isVerified ? 'addresses.verified' : 'addresses.not_verified'),
          stays && texts.text(stays),
        ],
        actions: carried.isFresh
          ? changesOf(carried, { identifier, isVerified, isPrimary, stays: stays !== undefined })
          : [],
      };
    });
    return html`${list(items, texts.text('addresses.none'))}
    ${
      carried.isFresh
        ? html`<h2>${texts.text('addresses.add')}</h2>
            ${action(carried, 'send', texts.text('action.send_code'), {
              fields: input('identifier', texts.text('field.identifier'), {
                autocomplete: 'email',
              }),
            })}`
        : confirmFirst(carried, 'account.confirm_addresses')
    }`;
  },
  actions: {
    async send(api, { identifier = '' }, carried) {
      const body = { identifier };
      const sent = await api.call(sendVerification, { params: {}, query: {}, body });
      return { show: codeForm(carried, identifier, sent.sent_to) };
    },
    async verify(api, { identifier = '', code = '' }) {
      const body = { identifier, code: code.replaceAll(/\s/g, '') };
      await api.call(verifyIdentifier, { params: {}, query: {}, body });
      return { done: 'address_added' };
    },
    async remove_address(api, { id = '' }) {
      const params = { identifier: id };
      await api.call(deleteIdentifier, { params, query: {}, body: undefined });
      return { done: 'address_removed' };
    },
    async make_primary(api, { id = '' }) {
      const params = { identifier: id };
      await api.call(makePrimary, { params, query: {}, body: undefined });
      return { done: 'address_primary' };
    },
  },
};

/** Why an address cannot be removed, as the route decides. */
function stayingOf(
  isVerified: boolean,
  left: readonly IdentifierRecord[],
): 'addresses.only' | 'addresses.only_verified' | undefined {
  if (left.length === 0) return 'addresses.only';
  return isVerified && !left.some((one) => one.verified) ? 'addresses.only_verified' : undefined;
}

interface Shown {
  readonly identifier: string;
  readonly isVerified: boolean;
  readonly isPrimary: boolean;
  /** It cannot be removed. */
  readonly stays: boolean;
}

function changesOf(
  carried: Carried,
  { identifier, isVerified, isPrimary, stays }: Shown,
): (Html | undefined)[] {
  const { texts } = carried;
  const verify = action(carried, 'send', texts.text('addresses.verify'), {
    hidden: { identifier },
    look: 'link',
  });
  const first = texts.html('addresses.make_primary', { address: identifier });
  const primary = action(carried, 'make_primary', first, {
    hidden: { id: identifier },
    look: 'link',
  });
  const text = texts.html('account.remove', { name: identifier });
  const remove = action(carried, 'remove_address', text, {
    hidden: { id: identifier },
    look: 'danger',
  });
  return [
    isVerified ? undefined : verify,
    isVerified && !isPrimary ? primary : undefined,
    stays ? undefined : remove,
  ];
}

function codeForm(carried: Carried, identifier: string, sentTo: string): Html {
  const { texts } = carried;
  return html`<p>${texts.html('addresses.sent', { address: html`<bdi>${sentTo}</bdi>` })}</p>
    ${action(carried, 'verify', texts.text('addresses.confirm'), {
      hidden: { identifier },
      fields: input('code', texts.text('field.code'), {
        autocomplete: 'one-time-code',
        isNumeric: true,
      }),
    })}
    ${back(carried)}`;
}

import {
  deleteIdentifier,
  listIdentifiers,
  sendVerification,
  verifyIdentifier,
} from '@keywright/contract/routes/identifiers';
import { type Html, html } from '../../../platform/http/pages/html.ts';
import { action, type Carried, confirmFirst, input, list } from './parts.ts';
import type { Section } from './section.ts';

/** E-mail addresses and phone numbers to log in with. */
export const addresses: Section = {
  async show(api, carried) {
    const { texts } = carried;
    const { identifiers } = await api.call(listIdentifiers, {
      params: {},
      query: {},
      body: undefined,
    });
    const isOnly = identifiers.length === 1;
    const items = identifiers.map(({ identifier, verified: isVerified }) => ({
      title: html`<bdi>${identifier}</bdi>`,
      lines: [
        texts.text(isVerified ? 'addresses.verified' : 'addresses.not_verified'),
        isOnly ? texts.text('addresses.only') : undefined,
      ],
      actions: carried.isFresh ? changesOf(carried, { identifier, isVerified, isOnly }) : [],
    }));
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
  },
};

interface Shown {
  readonly identifier: string;
  readonly isVerified: boolean;
  readonly isOnly: boolean;
}

function changesOf(carried: Carried, { identifier, isVerified, isOnly }: Shown): Html[] {
  const { texts } = carried;
  const verify = action(carried, 'send', texts.text('addresses.verify'), {
    hidden: { identifier },
    look: 'link',
  });
  const text = texts.html('account.remove', { name: identifier });
  const remove = action(carried, 'remove_address', text, {
    hidden: { id: identifier },
    look: 'danger',
  });
  return [...(isVerified ? [] : [verify]), ...(isOnly ? [] : [remove])];
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
    <p><a href="account?section=addresses">${texts.text('account.back')}</a></p>`;
}

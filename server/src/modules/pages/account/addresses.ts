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
    const { identifiers } = await api.call(listIdentifiers, {
      params: {},
      query: {},
      body: undefined,
    });
    const isOnly = identifiers.length === 1;
    const items = identifiers.map(({ identifier, verified: isVerified }) => ({
      title: html`<bdi>${identifier}</bdi>`,
      lines: [
        isVerified ? 'Verified' : 'Not verified',
        isOnly ? 'The only one: it stays.' : undefined,
      ],
      actions: carried.isFresh ? changesOf(carried, { identifier, isVerified, isOnly }) : [],
    }));
    return html`${list(items, 'There is no address.')}
    ${
      carried.isFresh
        ? html`<h2>Add an address</h2>
            ${action(carried, 'send', 'Send a code', {
              fields: input('identifier', 'E-mail address or phone number', {
                autocomplete: 'email',
              }),
            })}`
        : confirmFirst(carried, 'change your addresses')
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
  const verify = action(carried, 'send', 'Verify', { hidden: { identifier }, look: 'link' });
  const remove = action(carried, 'remove_address', `Remove ${identifier}`, {
    hidden: { id: identifier },
    look: 'danger',
  });
  return [...(isVerified ? [] : [verify]), ...(isOnly ? [] : [remove])];
}

function codeForm(carried: Carried, identifier: string, sentTo: string): Html {
  return html`<p>A code is on its way to <bdi>${sentTo}</bdi>. It is valid for 10 minutes.</p>
    ${action(carried, 'verify', 'Confirm the address', {
      hidden: { identifier },
      fields: input('code', 'Code', { autocomplete: 'one-time-code', isNumeric: true }),
    })}
    <p><a href="account?section=addresses">Back</a></p>`;
}

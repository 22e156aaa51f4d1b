import { DEFAULT_WORKSPACE } from '@keywright/contract/ids';
import { TEXT_LOCALES, type TextLocale } from '@keywright/contract/locale';
import type { OwnInvitationRecord } from '@keywright/contract/records/own-invitation';
import { NAME_LENGTH } from '@keywright/contract/records/profile';
import type { IdentifierRecord } from '@keywright/contract/records/user';
import type { WorkspaceRecord } from '@keywright/contract/records/workspace';
import { listFactors } from '@keywright/contract/routes/factors';
import {
  deleteIdentifier,
  listIdentifiers,
  makePrimary,
  sendVerification,
  verifyIdentifier,
} from '@keywright/contract/routes/identifiers';
import * as invitations from '@keywright/contract/routes/own-invitations';
import { leaveWorkspace, listOwnWorkspaces } from '@keywright/contract/routes/own-workspaces';
import { deleteOwnPicture, putOwnPicture } from '@keywright/contract/routes/pictures';
import { getProfile, updateProfile } from '@keywright/contract/routes/profile';
import { type Html, html } from '../../../platform/http/pages/html.ts';
import { LOCALE_NAMES } from '../../../platform/texts/locales.ts';
import { openSessions } from './access-sections.ts';
import {
  type Carried,
  NOTHING,
  type Section,
  WHOLE,
  action,
  back,
  card,
  confirmFirst,
  input,
  list,
  time,
} from './account-section.ts';
import { pictureCard } from './picture-part.ts';
import { protectionCard } from './security-section.ts';

/** An overview of the user's addresses, login protection and sessions. */
export const overview: Section = {
  actions: {},
  async show(api, { texts }) {
    const [{ identifiers }, factors, sessions] = await Promise.all([
      api.call(listIdentifiers, { params: {}, query: {}, body: undefined }),
      api.call(listFactors, WHOLE),
      openSessions(api, 1),
    ]);
    const shown = identifiers.map(({ identifier, verified: isVerified }) => {
      const address = html`<bdi>${identifier}</bdi>`;
      const text = isVerified ? address : texts.html('overview.not_verified', { address });
      return html`<li>${text}</li>`;
    });
    const since = texts.html('overview.since', {
      time: time(api.login.authTime, texts),
      count: sessions.meta.total,
      link: { href: 'account?section=sessions' },
    });
    return html`${card(
      { icon: 'mail', title: texts.text('account.section.addresses') },
      html`<ul>
          ${shown}
        </ul>
        <p><a href="account?section=addresses">${texts.text('overview.manage_addresses')}</a></p>`,
    )}
    ${protectionCard(
      factors.items,
      texts,
      html`<p><a href="account?section=security">${texts.text('overview.manage_security')}</a></p>`,
    )}
    ${card({ icon: 'desktop', title: texts.text('account.section.sessions') }, html`<p>${since}</p>`)}`;
  },
};

/** The user's name, picture and language. */
export const profile: Section = {
  async show(api, carried) {
    const { texts } = carried;
    const person = await api.call(getProfile, NOTHING);
    const { name, locale } = person;
    const form = action(carried, 'save_profile', texts.text('profile.save'), {
      fields: html`<label for="name">${texts.text('profile.name')}</label>
        <input
          id="name"
          name="name"
          value="${name ?? ''}"
          autocomplete="name"
          maxlength="${NAME_LENGTH}"
        />
        <label for="locale">${texts.text('profile.locale')}</label>
        <select id="locale" name="locale">
          <option value="">${texts.text('profile.usual_locale')}</option>
          ${TEXT_LOCALES.map((candidate) => option(candidate, candidate === locale))}
        </select>`,
    });
    return html`${card({ icon: 'user', title: texts.text('profile.about') }, form)}
    ${pictureCard(carried, person)}`;
  },
  actions: {
    async save_profile(api, { name = '', locale: chosen = '' }) {
      const locale = TEXT_LOCALES.find((candidate) => candidate === chosen) ?? null;
      const body = { name: name.trim() === '' ? null : name.trim(), locale };
      await api.call(updateProfile, { params: {}, query: {}, body });
      return { done: 'profile_saved', ...(locale && { locale }) };
    },
    async save_picture(api, { picture: image = '' }) {
      await api.call(putOwnPicture, { params: {}, query: {}, body: { image } });
      return { done: 'profile_saved' };
    },
    async remove_picture(api) {
      await api.call(deleteOwnPicture, NOTHING);
      return { done: 'profile_saved' };
    },
  },
};

function option(locale: TextLocale, isSelected: boolean) {
  return html`<option value="${locale}" lang="${locale}" ${isSelected ? html`selected` : undefined}>
    ${LOCALE_NAMES[locale]}
  </option>`;
}

/** The email addresses and phone numbers that the user can log in with. */
export const addresses: Section = {
  async show(api, carried) {
    const { texts } = carried;
    const { identifiers } = await api.call(listIdentifiers, NOTHING);
    const items = identifiers.map(({ identifier, verified: isVerified }, place) => {
      const others = identifiers.filter((other) => other.identifier !== identifier);
      const stays = reasonToStay(isVerified, others);
      const isPrimary = place === 0;
      const id = `address-${place}`;
      const address = { identifier, isVerified, isPrimary, stays: stays !== undefined };
      return {
        icon: identifier.includes('@') ? ('mail' as const) : ('phone' as const),
        title: html`<bdi id="${id}">${identifier}</bdi>`,
        marks: [
          isPrimary ? texts.text('addresses.primary') : undefined,
          texts.text(isVerified ? 'addresses.verified' : 'addresses.not_verified'),
        ],
        lines: [stays && texts.text(stays)],
        actionsOf: id,
        actions: carried.isFresh ? changesOf(carried, address) : [],
      };
    });
    return html`${card(
      { icon: 'mail', title: texts.text('account.section.addresses') },
      list(items, texts.text('addresses.none')),
    )}
    ${
      carried.isFresh
        ? card(
            { icon: 'plus', title: texts.text('addresses.add') },
            action(carried, 'send', texts.text('action.send_code'), {
              fields: input('identifier', texts.text('field.identifier'), {
                autocomplete: 'email',
              }),
            }),
          )
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

/** Returns why an address cannot be removed, by the same rules as the route. */
function reasonToStay(
  isVerified: boolean,
  others: readonly IdentifierRecord[],
): 'addresses.only' | 'addresses.only_verified' | undefined {
  if (others.length === 0) return 'addresses.only';
  return isVerified && !others.some((other) => other.verified)
    ? 'addresses.only_verified'
    : undefined;
}

interface Shown {
  readonly identifier: string;
  readonly isVerified: boolean;
  readonly isPrimary: boolean;
  /** Whether the address cannot be removed. */
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
  const primary = action(carried, 'make_primary', texts.text('addresses.make_primary'), {
    hidden: { id: identifier },
    look: 'link',
  });
  const remove = action(carried, 'remove_address', texts.text('addresses.remove'), {
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

/** The user's workspaces and invitations. */
export const workspaces: Section = {
  async show(api, carried) {
    const { texts } = carried;
    const [waiting, joined] = await Promise.all([
      api.call(invitations.listOwnInvitations, WHOLE),
      api.call(listOwnWorkspaces, WHOLE),
    ]);
    return html`${card(
      { icon: 'mail', title: texts.text('workspaces.invitations') },
      list(
        waiting.items.map((invitation) => invitationItem(invitation, carried)),
        texts.text('workspaces.no_invitation'),
      ),
    )}
    ${card(
      { icon: 'apps', title: texts.text('workspaces.own') },
      list(
        joined.items.map((workspace) => workspaceItem(workspace, carried)),
        texts.text('workspaces.none'),
      ),
    )}`;
  },
  actions: {
    async accept_invitation(api, { id = '' }) {
      const request = { params: { invitation_id: id }, query: {}, body: undefined };
      await api.call(invitations.acceptInvitation, request);
      return { done: 'invitation_accepted' };
    },
    async decline_invitation(api, { id = '' }) {
      const request = { params: { invitation_id: id }, query: {}, body: undefined };
      await api.call(invitations.declineInvitation, request);
      return { done: 'invitation_declined' };
    },
    async leave_workspace(api, { id = '' }) {
      const request = { params: { workspace_id: id }, query: {}, body: undefined };
      await api.call(leaveWorkspace, request);
      return { done: 'workspace_left' };
    },
  },
};

function invitationItem(invitation: OwnInvitationRecord, carried: Carried) {
  const {
    id,
    identifier,
    invited_by_name: inviter,
    roles,
    workspaces: joined,
    created_at: at,
    expires_at: until,
  } = invitation;
  const { texts } = carried;
  return {
    title: texts.html('workspaces.invited', { address: html`<bdi>${identifier}</bdi>` }),
    lines: [
      inviter === null ? undefined : texts.html('workspaces.invited_by', { inviter }),
      roles.length > 0 ? texts.html('workspaces.gains', { roles: texts.named(roles) }) : undefined,
      joined.length > 0
        ? texts.html('workspaces.joins', {
            workspaces: texts.named(joined.map(({ name }) => name)),
          })
        : undefined,
      texts.html('workspaces.period', { since: time(at, texts), until: time(until, texts) }),
    ],
    actions: [
      action(carried, 'accept_invitation', texts.text('workspaces.accept'), {
        hidden: { id },
        look: 'second',
      }),
      action(carried, 'decline_invitation', texts.text('workspaces.decline'), {
        hidden: { id },
        look: 'second',
      }),
    ],
  };
}

function workspaceItem({ id, name, is_active: isActive }: WorkspaceRecord, carried: Carried) {
  const { texts } = carried;
  const isDefault = id === DEFAULT_WORKSPACE;
  return {
    title: html`<bdi id="workspace-${id}">${name}</bdi>`,
    actionsOf: `workspace-${id}`,
    lines: [
      isDefault ? texts.text('workspaces.default') : undefined,
      isActive ? undefined : texts.text('workspaces.closed'),
    ],
    actions: isDefault
      ? []
      : [
          action(carried, 'leave_workspace', texts.text('workspaces.leave'), {
            hidden: { id },
            look: 'danger',
          }),
        ],
  };
}

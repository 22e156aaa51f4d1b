import { DEFAULT_WORKSPACE } from '@keywright/contract/ids';
import type { OwnInvitationRecord } from '@keywright/contract/records/own-invitation';
import type { WorkspaceRecord } from '@keywright/contract/records/workspace';
import * as invitations from '@keywright/contract/routes/own-invitations';
import { leaveWorkspace, listOwnWorkspaces } from '@keywright/contract/routes/own-workspaces';
import { html } from '../../../platform/http/pages/html.ts';
import { action, type Carried, list, time, type Section, WHOLE } from './account-section.ts';

/** The user's workspaces and invitations. */
export const workspaces: Section = {
  async show(api, carried) {
    const { texts } = carried;
    const [waiting, own] = await Promise.all([
      api.call(invitations.listOwnInvitations, WHOLE),
      api.call(listOwnWorkspaces, WHOLE),
    ]);
    return html`<h2>${texts.text('workspaces.invitations')}</h2>
      ${list(
        waiting.items.map((one) => invitationItem(one, carried)),
        texts.text('workspaces.no_invitation'),
      )}
      <h2>${texts.text('workspaces.own')}</h2>
      ${list(
        own.items.map((one) => workspaceItem(one, carried)),
        texts.text('workspaces.none'),
      )}`;
  },
  actions: {
    async accept_invitation(api, { id = '' }) {
      const request = { params: { invitation_id: id }, query: {}, body: undefined };
      await api.call(invitations.acceptOwnInvitation, request);
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
    roles,
    workspaces: joined,
    created_at: at,
    expires_at: until,
  } = invitation;
  const { texts } = carried;
  return {
    title: texts.html('workspaces.invited', { address: html`<bdi>${identifier}</bdi>` }),
    lines: [
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
        look: 'danger',
      }),
    ],
  };
}

function workspaceItem({ id, name, is_active: isActive }: WorkspaceRecord, carried: Carried) {
  const { texts } = carried;
  const isDefault = id === DEFAULT_WORKSPACE;
  return {
    title: html`<bdi>${name}</bdi>`,
    lines: [
      isDefault ? texts.text('workspaces.default') : undefined,
      isActive ? undefined : texts.text('workspaces.closed'),
    ],
    actions: isDefault
      ? []
      : [
          action(carried, 'leave_workspace', texts.html('workspaces.leave', { workspace: name }), {
            hidden: { id },
            look: 'danger',
          }),
        ],
  };
}

import type { Invitation } from '@keywright/sdk';
import { Address } from '../../parts/address.tsx';
import { Page } from '../../parts/page.tsx';
import { Place } from '../../parts/place.tsx';
import { Scopes } from '../../parts/scopes.tsx';
import type { Column, Filter, View } from '../../parts/table/column.ts';
import { Table } from '../../parts/table/table.tsx';
import { Time } from '../../parts/time.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { CreateLink } from '../shared/create-link.tsx';
import { InvitationActions } from './actions.tsx';
import { INVITATIONS } from './place.ts';
import { InvitationState } from './state.tsx';

const COLUMNS: readonly Column<Invitation>[] = [
  {
    title: 'email',
    cell: ({ id, identifier }) => (
      <Place to={`${INVITATIONS}/${id}`}>
        <Address text={identifier} />
      </Place>
    ),
  },
  { title: 'state', cell: ({ status }) => <InvitationState status={status} /> },
  { title: 'roles', cell: ({ roles }) => <Scopes scopes={roles} most={3} /> },
  { title: 'lastSent', cell: ({ sent_at: at }) => <Time at={at} /> },
  { title: 'expires', cell: ({ expires_at: at }) => <Time at={at} /> },
];

const FILTERS: readonly Filter[] = [
  {
    name: 'status',
    label: 'state',
    choices: ['pending', 'accepted', 'revoked', 'expired'],
    words: {
      pending: 'invitation.pending',
      accepted: 'invitation.accepted',
      revoked: 'invitation.revoked',
      expired: 'invitation.expired',
    },
  },
  { name: 'identifier', label: 'email' },
];

const VIEWS: readonly View[] = [
  { title: 'viewAll', filters: {} },
  { title: 'invitation.pending', filters: { status: 'pending' } },
  { title: 'invitation.accepted', filters: { status: 'accepted' } },
  { title: 'invitation.expired', filters: { status: 'expired' } },
];

export function InvitationList() {
  const { say } = useTexts();
  return (
    <Page
      title={say('invitations')}
      actions={<CreateLink scope="write:users" to={`${INVITATIONS}/new`} title="invite" />}
    >
      <Table
        route="invitations.list"
        icon="mail-plus"
        label={say('invitations')}
        columns={COLUMNS}
        keyOf={({ id }) => id}
        filters={FILTERS}
        views={VIEWS}
        actions={{
          nameOf: ({ identifier }) => identifier,
          items: (invitation) => <InvitationActions invitation={invitation} />,
        }}
        emptyTitle={say('invitationsEmptyTitle')}
        start={<CreateLink scope="write:users" to="/invitations/new" title="invite" kind="plain" />}
        guide="invite-people"
        empty={<p>{say('invitationsEmpty')}</p>}
      />
    </Page>
  );
}

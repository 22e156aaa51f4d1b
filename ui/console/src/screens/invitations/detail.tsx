import type { Invitation } from '@keywright/sdk';
import { useCall } from '../../api/queries.ts';
import { useRecordNames } from '../../api/users.ts';
import { Card } from '../../parts/card.tsx';
import { Facts } from '../../parts/facts.tsx';
import { Id } from '../../parts/id.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Page } from '../../parts/page.tsx';
import { Scopes } from '../../parts/scopes.tsx';
import { Tabs, useTab } from '../../parts/tabs.tsx';
import { Time } from '../../parts/time.tsx';
import { UserNames } from '../../parts/user-name.tsx';
import { useCaller } from '../../shell/caller.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { useParam, useTenant } from '../../url/params.ts';
import { AuditTable } from '../shared/audit-table.tsx';
import { Subject } from '../shared/subject.tsx';
import { InvitationActions } from './actions.tsx';
import { INVITATIONS } from './place.ts';
import { InvitationState } from './state.tsx';

const TABS = [
  { id: '', title: 'properties' },
  { id: 'audit', title: 'audit' },
] as const;

export function InvitationDetail() {
  const { say } = useTexts();
  const id = useParam('id');
  const query = useCall(useTenant(), 'invitations.get', { params: { invitation_id: id } });
  return (
    <Loaded query={query} route="invitations.get" isScreen>
      {(invitation) => (
        <Page
          title={invitation.identifier}
          about={<InvitationState status={invitation.status} />}
          actions={<InvitationActions invitation={invitation} />}
          from={{ to: INVITATIONS, title: say('invitations') }}
        >
          <Tabs label={invitation.identifier} path={`${INVITATIONS}/${id}`} tabs={TABS} />
          <Open invitation={invitation} />
        </Page>
      )}
    </Loaded>
  );
}

interface Props {
  readonly invitation: Invitation;
}

function Open({ invitation }: Props) {
  if (useTab() === 'audit') return <AuditTable fixed={{ target: invitation.id }} />;
  return <Properties invitation={invitation} />;
}

function Properties({ invitation }: Props) {
  const { say } = useTexts();
  const { can } = useCaller();
  const { accepted_by: acceptedBy } = invitation;
  const { names } = useRecordNames([invitation.invited_by, acceptedBy], can);
  return (
    <UserNames value={names}>
      <Card title={say('invitation')}>
        <Facts
          rows={[
            [say('id'), <Id key="id" id={invitation.id} canCopy />],
            ...(invitation.name === null ? [] : ([[say('name'), invitation.name]] as const)),
            [say('invitedBy'), <Subject key="by" id={invitation.invited_by} />],
            [say('roles'), <Scopes key="roles" scopes={invitation.roles} />],
            [say('workspaces'), <Scopes key="workspaces" scopes={invitation.workspaces} />],
            [say('created'), <Time key="created" at={invitation.created_at} isWhole />],
            [say('lastSent'), <Time key="sent" at={invitation.sent_at} isWhole />],
            [say('expires'), <Time key="expires" at={invitation.expires_at} isWhole />],
            ...(acceptedBy === null
              ? []
              : ([[say('acceptedBy'), <Subject key="accepted" id={acceptedBy} />]] as const)),
          ]}
        />
      </Card>
    </UserNames>
  );
}

import { useNavigate } from '@tanstack/react-router';
import { userCreate } from '../../generated/facts.ts';
import { ContractForm } from '../../parts/form/contract-form.tsx';
import { Page } from '../../parts/page.tsx';
import { Tabs, useTab } from '../../parts/tabs.tsx';
import { useToast } from '../../parts/toast.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { useTenant } from '../../url/params.ts';
import { INVITATION_FACTS } from '../shared/invitation-facts.ts';
import { usePasswordFacts } from '../users/password-facts.ts';
import { SetupSteps } from './steps.tsx';

const TABS = [
  { id: '', title: 'byInvitation' },
  { id: 'password', title: 'byPassword' },
] as const;
/** The role whose holders can do everything in a tenant. */
const ADMIN = { roles: ['admin'] };

/** The last step of a new tenant, inside it. */
export function FirstAdministrator() {
  const { say } = useTexts();
  const tenant = useTenant();
  const navigate = useNavigate();
  const toast = useToast();
  const passwordFacts = usePasswordFacts(userCreate);
  const isByPassword = useTab() === 'password';
  const finish = (name: string) => {
    toast(say('createdNamed', { name }));
    void navigate({ to: `/t/${tenant}/` });
  };
  return (
    <Page title={say('firstAdministrator')} about={say('firstAdministratorHint')}>
      <div className="card stack narrow">
        <SetupSteps current="administrator" />
        <Tabs label={say('firstAdministrator')} path="/setup/administrator" tabs={TABS} />
        {isByPassword ? (
          <ContractForm
            key="password"
            route="users.create"
            facts={passwordFacts}
            fields={['identifier', 'password']}
            fixed={ADMIN}
            submit={say('userCreate')}
            onDone={({ identifiers: [first], id }) => finish(first?.identifier ?? id)}
          />
        ) : (
          <ContractForm
            key="invitation"
            route="invitations.create"
            facts={INVITATION_FACTS}
            fields={['identifier', 'locale']}
            fixed={ADMIN}
            submit={say('inviteAdministrator')}
            onDone={({ identifier }) => finish(identifier)}
          />
        )}
      </div>
    </Page>
  );
}

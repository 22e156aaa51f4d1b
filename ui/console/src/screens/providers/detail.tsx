import type { IdentityProvider } from '@keywright/sdk';
import { useCall } from '../../api/queries.ts';
import { Card } from '../../parts/card.tsx';
import { Copy } from '../../parts/copy.tsx';
import { Facts } from '../../parts/facts.tsx';
import { Id } from '../../parts/id.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Page } from '../../parts/page.tsx';
import { Scopes } from '../../parts/scopes.tsx';
import { ActiveState, State } from '../../parts/state.tsx';
import { Tabs, useTab } from '../../parts/tabs.tsx';
import { Time } from '../../parts/time.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { useParam, useTenant } from '../../url/params.ts';
import { AuditTable } from '../shared/audit-table.tsx';
import { ChangeCard } from '../shared/change-card.tsx';
import { ProviderActions } from './actions.tsx';
import { ProviderDomains } from './domains.tsx';
import { factsOfChange } from './kinds.ts';

const TABS = [
  { id: '', title: 'properties' },
  { id: 'change', title: 'change' },
  { id: 'domains', title: 'providerDomains' },
  { id: 'audit', title: 'audit' },
] as const;

export function ProviderDetail() {
  const { say } = useTexts();
  const id = useParam('id');
  const query = useCall(useTenant(), 'providers.get', { params: { provider_id: id } });
  return (
    <Loaded query={query} route="providers.get" isScreen>
      {(provider) => (
        <Page
          title={provider.name}
          about={<ActiveState isActive={provider.is_active} />}
          actions={<ProviderActions provider={provider} />}
          from={{ to: '/providers', title: say('providers') }}
        >
          <Tabs label={provider.name} path={`/providers/${id}`} tabs={TABS} />
          <Open provider={provider} />
        </Page>
      )}
    </Loaded>
  );
}

interface Props {
  readonly provider: IdentityProvider;
}

function Open({ provider }: Props) {
  const { say } = useTexts();
  switch (useTab()) {
    case 'change':
      return (
        <ChangeCard
          route="providers.update"
          scope="write:logins"
          facts={factsOfChange(provider)}
          params={{ provider_id: provider.id }}
          present={provider}
          title={say('change')}
        />
      );
    case 'domains':
      return <ProviderDomains providerId={provider.id} />;
    case 'audit':
      return <AuditTable fixed={{ target: provider.id }} />;
    default:
      return <Properties provider={provider} />;
  }
}

function Tested({ provider: { tested_at: at } }: Props) {
  const { say } = useTexts();
  return at === null ? (
    <State word={say('providerUntested')} tone="brass" />
  ) : (
    <Time at={at} isWhole />
  );
}

function Properties({ provider }: Props) {
  const { say } = useTexts();
  const { callback_url: callback, trust_mfa: trustsMfa } = provider;
  return (
    <Card title={say('properties')}>
      <Facts
        rows={[
          [say('id'), <Id key="id" id={provider.id} canCopy />],
          [say('kind'), say(`provider.${provider.type}`)],
          [
            say('callbackUrl'),
            <span key="callback" className="id">
              <bdi className="mono">{callback}</bdi>{' '}
              <Copy text={callback} of={say('callbackUrl')} />
            </span>,
          ],
          [say('issuer'), <bdi key="issuer">{provider.issuer}</bdi>],
          [say('clientId'), <bdi key="client">{provider.client_id}</bdi>],
          [say('clientSecret'), say(provider.has_client_secret ? 'secretStored' : 'none')],
          [say('scopes'), <Scopes key="scopes" scopes={provider.scopes} />],
          [say('providerLink'), say(`link.${provider.link}`)],
          [say('providerTrusted'), <Scopes key="domains" scopes={provider.domains} />],
          [say('providerMfa'), say(trustsMfa ? 'yes' : 'no')],
          [say('providerTested'), <Tested key="tested" provider={provider} />],
          [say('created'), <Time key="created" at={provider.created_at} isWhole />],
        ]}
      />
    </Card>
  );
}

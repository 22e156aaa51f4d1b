import type { IdentityProvider } from '@keywright/sdk';
import { useCall } from '../../api/queries.ts';
import { Avatar } from '../../parts/avatar.tsx';
import { Copy } from '../../parts/copy.tsx';
import { Id } from '../../parts/id.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Page } from '../../parts/page.tsx';
import { ActiveState, State } from '../../parts/state.tsx';
import { Tabs, useTab } from '../../parts/tabs.tsx';
import { Time } from '../../parts/time.tsx';
import { useCaller } from '../../shell/caller.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { useParam, useTenant } from '../../url/params.ts';
import { AuditTable } from '../shared/audit-table.tsx';
import { EditCard } from '../shared/edit-card.tsx';
import { MoreProviderActions, ProviderActions, ProviderDangers } from './actions.tsx';
import { ProviderDomains } from './domains.tsx';
import { factsOfChange } from './kinds.ts';

const TABS = [
  { id: '', title: 'overview' },
  { id: 'domains', title: 'providerDomains' },
  { id: 'activity', title: 'history' },
] as const;

export function ProviderDetail() {
  const { say } = useTexts();
  const { can } = useCaller();
  const id = useParam('id');
  const query = useCall(useTenant(), 'providers.get', { params: { provider_id: id } });
  return (
    <Loaded query={query} route="providers.get" isScreen>
      {(provider) => (
        <Page
          title={provider.name}
          avatar={<Avatar id={provider.id} name={provider.name} isSquare />}
          state={<ActiveState isActive={provider.is_active} />}
          about={say(`provider.${provider.type}`)}
          actions={<ProviderActions provider={provider} />}
          more={can('write:logins') && <MoreProviderActions provider={provider} />}
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
  switch (useTab()) {
    case 'domains':
      return <ProviderDomains providerId={provider.id} />;
    case 'activity':
      return <AuditTable fixed={{ target: provider.id }} />;
    default:
      return (
        <div className="stack">
          <Properties provider={provider} />
          <ProviderDangers provider={provider} />
        </div>
      );
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
  const { callback_url: callback } = provider;
  return (
    <EditCard
      title={say('details')}
      route="providers.update"
      scope="write:logins"
      facts={factsOfChange(provider)}
      params={{ provider_id: provider.id }}
      present={provider}
      rows={[
        [say('id'), <Id key="id" id={provider.id} canCopy />],
        [
          say('callbackUrl'),
          <span key="callback" className="id">
            <bdi className="mono">{callback}</bdi>
            <Copy text={callback} of={say('callbackUrl')} />
          </span>,
        ],
        [say('clientSecret'), say(provider.has_client_secret ? 'secretStored' : 'none')],
        [say('providerTested'), <Tested key="tested" provider={provider} />],
        [say('created'), <Time key="created" at={provider.created_at} isWhole />],
      ]}
    />
  );
}

import { useCall } from '../../api/queries.ts';
import { Loaded } from '../../parts/loaded.tsx';
import { Page } from '../../parts/page.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { useTenant } from '../../url/params.ts';
import { SettingsForm } from '../settings/settings.tsx';
import { ClientTabs } from './tabs.tsx';

/** The rules for all applications of the tenant. */
export function ClientPolicy() {
  const { say } = useTexts();
  const tenant = useTenant();
  const query = useCall(tenant, 'tenants.get', { params: { tenant_id: tenant } });
  return (
    <Page title={say('policy')} about={say('policyHint')}>
      <ClientTabs current="policy" />
      <Loaded query={query} route="tenants.get">
        {(record) => <SettingsForm record={record} group="oauth" />}
      </Loaded>
    </Page>
  );
}

import type { Tenant } from '@keywright/sdk';
import { useCall } from '../../api/queries.ts';
import { Id } from '../../parts/id.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Page } from '../../parts/page.tsx';
import { ActiveState } from '../../parts/state.tsx';
import { Tabs, useTab } from '../../parts/tabs.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { useParam, useTenant } from '../../url/params.ts';
import { AuditTable } from '../shared/audit-table.tsx';
import { TenantDomains } from '../shared/tenant-domains.tsx';
import { SETTINGS_TABS, SettingsForm } from '../settings/settings.tsx';
import { TenantActions } from './actions.tsx';
import { TenantIssuer } from './issuer.tsx';
import { TenantOverview } from './overview.tsx';

const TABS = [
  { id: '', title: 'overview' },
  { id: 'domains', title: 'domains' },
  { id: 'issuer', title: 'issuer' },
  ...SETTINGS_TABS,
  { id: 'audit', title: 'audit' },
] as const;

/** A tenant, as system administrators see it from their own tenant. */
export function TenantDetail() {
  const { say } = useTexts();
  const id = useParam('id');
  const query = useCall(useTenant(), 'tenants.get', { params: { tenant_id: id } });
  return (
    <Loaded query={query} route="tenants.get" isScreen>
      {(record) => (
        <Page
          title={record.name}
          about={
            <span className="actions">
              <ActiveState isActive={record.is_active} /> <Id id={record.id} canCopy />
            </span>
          }
          actions={<TenantActions record={record} />}
          from={{ to: '/tenants', title: say('tenants') }}
        >
          <Tabs label={record.name} path={`/tenants/${id}`} tabs={TABS} />
          <Open record={record} />
        </Page>
      )}
    </Loaded>
  );
}

function Open({ record }: { readonly record: Tenant }) {
  const { say } = useTexts();
  const tab = useTab();
  switch (tab) {
    case 'domains':
      return <TenantDomains record={record} />;
    case 'issuer':
      return <TenantIssuer record={record} />;
    case 'audit':
      return (
        <div className="stack">
          <p className="muted">{say('tenantAuditHint')}</p>
          <AuditTable fixed={{ target: record.id }} />
        </div>
      );
    default: {
      const group = SETTINGS_TABS.find(({ id }) => id === tab)?.id;
      return group ? (
        <SettingsForm record={record} group={group} />
      ) : (
        <TenantOverview record={record} />
      );
    }
  }
}

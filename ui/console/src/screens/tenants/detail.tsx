import type { Tenant } from '@keywright/sdk';
import { useCall } from '../../api/queries.ts';
import { Avatar } from '../../parts/avatar.tsx';
import { Id } from '../../parts/id.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Page } from '../../parts/page.tsx';
import { ActiveState } from '../../parts/state.tsx';
import { Tabs, useTab } from '../../parts/tabs.tsx';
import { useCaller } from '../../shell/caller.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { useParam, useTenant } from '../../url/params.ts';
import { AuditTable } from '../shared/audit-table.tsx';
import { TenantDomains } from '../shared/tenant-domains.tsx';
import { SETTINGS_TABS, SettingsForm } from '../settings/settings.tsx';
import { moreTenantActions, TenantActions, TenantDangers } from './actions.tsx';
import { TenantIssuer } from './issuer.tsx';
import { TenantOverview } from './overview.tsx';

const [FIRST_GROUP] = SETTINGS_TABS;
const TABS = [
  { id: '', title: 'overview' },
  { id: 'domains', title: 'domains' },
  { id: FIRST_GROUP?.id ?? '', title: 'settings' },
  { id: 'activity', title: 'history' },
] as const;

/** A tenant, as system administrators see it from their own tenant. */
export function TenantDetail() {
  const { say } = useTexts();
  const { isSystemAdministrator } = useCaller();
  const id = useParam('id');
  const open = useTab();
  const isOfSettings = SETTINGS_TABS.some((tab) => tab.id === open);
  const query = useCall(useTenant(), 'tenants.get', { params: { tenant_id: id } });
  return (
    <Loaded query={query} route="tenants.get" isScreen>
      {(record) => (
        <Page
          title={record.name}
          avatar={<Avatar id={record.id} name={record.name} isSquare />}
          state={<ActiveState isActive={record.is_active} />}
          about={<Id id={record.id} canCopy />}
          actions={<TenantActions record={record} />}
          more={moreTenantActions({ record, isSystemAdministrator })}
          from={{ to: '/tenants', title: say('tenants') }}
        >
          <Tabs
            label={record.name}
            path={`/tenants/${id}`}
            tabs={TABS}
            {...(isOfSettings && FIRST_GROUP && { current: FIRST_GROUP.id })}
          />
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
      return (
        <div className="stack">
          <TenantDomains record={record} />
          <TenantIssuer record={record} />
        </div>
      );
    case 'activity':
      return (
        <div className="stack">
          <p className="muted">{say('tenantAuditHint')}</p>
          <AuditTable fixed={{ target: record.id }} />
        </div>
      );
    default: {
      const group = SETTINGS_TABS.find(({ id }) => id === tab)?.id;
      return group ? (
        <>
          <Tabs
            isMinor
            label={say('settings')}
            path={`/tenants/${record.id}`}
            tabs={SETTINGS_TABS}
          />
          <SettingsForm record={record} group={group} />
        </>
      ) : (
        <div className="stack">
          <TenantOverview record={record} />
          <TenantDangers record={record} />
        </div>
      );
    }
  }
}

import type { Tenant } from '@keywright/sdk';
import { useState } from 'react';
import { useCall } from '../../api/queries.ts';
import { tenantConfig, tenantUpdate } from '../../generated/facts.ts';
import { Card } from '../../parts/card.tsx';
import { Facts } from '../../parts/facts.tsx';
import type { Body } from '../../parts/form/values.ts';
import { Id } from '../../parts/id.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Page } from '../../parts/page.tsx';
import { Scopes } from '../../parts/scopes.tsx';
import { Tabs, useTab } from '../../parts/tabs.tsx';
import { Time } from '../../parts/time.tsx';
import { useCaller } from '../../shell/caller.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { useTenant } from '../../url/params.ts';
import { ChangeCard } from '../shared/change-card.tsx';
import { TenantDomains } from '../shared/tenant-domains.tsx';
import { Effects } from './effects.tsx';
import { GROUPS, scopeOfSetting, settingsOf } from './groups.ts';
import { MailServer } from './mail.tsx';
import { TokenPreview } from './token-preview.tsx';

/** The tabs of the settings themselves. */
export const SETTINGS_TABS = [
  { id: 'logins', title: 'group.logins' },
  { id: 'passwords', title: 'group.passwords' },
  { id: 'sessions', title: 'sessions' },
  { id: 'oauth', title: 'group.oauth' },
  { id: 'claims', title: 'group.claims' },
  { id: 'limits', title: 'group.limits' },
  { id: 'others', title: 'group.others' },
] as const;
const TABS = [
  { id: '', title: 'tenant' },
  { id: 'domains', title: 'domains' },
  { id: 'mail', title: 'mail' },
  ...SETTINGS_TABS,
] as const;

const OF_TENANT = ['name'];

export function Settings() {
  const { say } = useTexts();
  const tenant = useTenant();
  const query = useCall(tenant, 'tenants.get', { params: { tenant_id: tenant } });
  return (
    <Loaded query={query} route="tenants.get" isScreen>
      {(record) => (
        <Page title={say('settings')}>
          <Tabs label={say('settings')} path="/settings" tabs={TABS} />
          <Open record={record} />
        </Page>
      )}
    </Loaded>
  );
}

interface Props {
  readonly record: Tenant;
}

function Open({ record }: Props) {
  switch (useTab()) {
    case 'domains':
      return <TenantDomains record={record} />;
    case 'mail':
      return <MailServer record={record} />;
    default:
      return <OpenSettings record={record} />;
  }
}

/** The form of the open tab. */
export function OpenSettings({ record }: Props) {
  const tab = useTab();
  // A draft belongs to this tab and to the saved record.
  return <OpenTab key={`${tab} ${JSON.stringify(record)}`} record={record} tab={tab} />;
}

function OpenTab({ record, tab }: Props & { readonly tab: string }) {
  const { say } = useTexts();
  const { can, isSystemAdministrator } = useCaller();
  const [draft, setDraft] = useState<Body>({});
  const common = {
    route: 'tenants.update',
    scope: 'write:tenant',
    params: { tenant_id: record.id },
  } as const;
  const group = GROUPS.find((name) => name === tab);
  if (group) {
    // Some settings of a group can need a different scope.
    const fields = settingsOf(group).filter((name) => can(scopeOfSetting(name)));
    return (
      <div className="stack">
        <ChangeCard
          {...common}
          scope={scopeOfSetting(fields[0])}
          title={say(TABS.find(({ id }) => id === group)?.title ?? 'settings')}
          facts={tenantConfig}
          fields={fields}
          present={record.config}
          part="config"
          onDraft={setDraft}
        />
        <Effects id={record.id} draft={draft} />
        {group === 'claims' && <TokenPreview record={record} draft={draft} />}
      </div>
    );
  }
  return (
    <div className="stack">
      <About record={record} />
      <ChangeCard
        {...common}
        facts={tenantUpdate}
        fields={isSystemAdministrator ? [...OF_TENANT, 'issuer'] : OF_TENANT}
        present={record}
        onDraft={setDraft}
      />
      <Effects id={record.id} draft={draft} />
    </div>
  );
}

function About({ record }: Props) {
  const { say } = useTexts();
  return (
    <Card title={say('tenant')}>
      <Facts
        rows={[
          [say('id'), <Id key="id" id={record.id} canCopy />],
          [say('issuer'), <bdi key="issuer">{record.issuer}</bdi>],
          [say('domains'), <Scopes key="domains" scopes={record.domains} />],
          [say('created'), <Time key="created" at={record.created_at} isWhole />],
        ]}
      />
    </Card>
  );
}

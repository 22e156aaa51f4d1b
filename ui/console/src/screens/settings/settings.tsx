import type { Tenant } from '@keywright/sdk';
import { type ReactNode, useState } from 'react';
import { useCall } from '../../api/queries.ts';
import { tenantConfig, tenantUpdate } from '../../generated/facts.ts';
import { Card } from '../../parts/card.tsx';
import { Facts } from '../../parts/facts.tsx';
import type { Body } from '../../parts/form/values.ts';
import { Id } from '../../parts/id.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Page } from '../../parts/page.tsx';
import { Scopes } from '../../parts/scopes.tsx';
import { Time } from '../../parts/time.tsx';
import { useCaller } from '../../shell/caller.tsx';
import type { TextKey } from '../../texts/locales.ts';
import { useTexts } from '../../texts/texts.tsx';
import { useTenant } from '../../url/params.ts';
import { ChangeCard } from '../shared/change-card.tsx';
import { TenantDomains } from '../shared/tenant-domains.tsx';
import { Effects } from './effects.tsx';
import { GROUP_TITLES, GROUPS, scopeOfSetting, type SettingsGroup, settingsOf } from './groups.ts';
import { TokenPreview } from './token-preview.tsx';

/** The settings as tabs of a tenant's record. */
export const SETTINGS_TABS = GROUPS.map((id) => ({ id, title: GROUP_TITLES[id] }));

interface Props {
  readonly record: Tenant;
}

interface ScreenProps {
  readonly title: TextKey;
  readonly about?: TextKey;
  readonly children: (record: Tenant) => ReactNode;
}

function SettingsScreen({ title, about, children }: ScreenProps) {
  const { say } = useTexts();
  const tenant = useTenant();
  const query = useCall(tenant, 'tenants.get', { params: { tenant_id: tenant } });
  return (
    <Loaded query={query} route="tenants.get" isScreen>
      {(record) => (
        <Page title={say(title)} {...(about && { about: say(about) })}>
          {children(record)}
        </Page>
      )}
    </Loaded>
  );
}

export function GeneralSettings() {
  return (
    <SettingsScreen title="general">
      {(record) => (
        <div className="stack">
          <About record={record} />
          <NameForm key={JSON.stringify(record)} record={record} />
          <SettingsForm record={record} group="languages" />
        </div>
      )}
    </SettingsScreen>
  );
}

export function Domains() {
  return (
    <SettingsScreen title="domains" about="domainsHint">
      {(record) => <TenantDomains record={record} />}
    </SettingsScreen>
  );
}

export function SessionsAndTokens() {
  return (
    <SettingsScreen title="sessionsAndTokens" about="sessionsAndTokensHint">
      {(record) => <SettingsForm record={record} group="sessions" />}
    </SettingsScreen>
  );
}

export function CustomClaims() {
  return (
    <SettingsScreen title="group.claims" about="claimsHint">
      {(record) => <SettingsForm record={record} group="claims" />}
    </SettingsScreen>
  );
}

export function Limits() {
  return (
    <SettingsScreen title="group.limits" about="limitsHint">
      {(record) => <SettingsForm record={record} group="limits" />}
    </SettingsScreen>
  );
}

/** The settings of one group. A draft belongs to this group and to the saved record. */
export function SettingsForm({ record, group }: Props & { readonly group: SettingsGroup }) {
  return <GroupForm key={`${group} ${JSON.stringify(record)}`} record={record} group={group} />;
}

function GroupForm({ record, group }: Props & { readonly group: SettingsGroup }) {
  const { say } = useTexts();
  const { can } = useCaller();
  const [draft, setDraft] = useState<Body>({});
  // Some settings of a group can need a different scope.
  const fields = settingsOf(group).filter((name) => can(scopeOfSetting(name)));
  return (
    <div className="stack">
      <ChangeCard
        route="tenants.update"
        params={{ tenant_id: record.id }}
        scope={scopeOfSetting(fields[0])}
        title={say(GROUP_TITLES[group])}
        hidesTitle
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

function NameForm({ record }: Props) {
  const { isSystemAdministrator } = useCaller();
  const [draft, setDraft] = useState<Body>({});
  return (
    <>
      <ChangeCard
        route="tenants.update"
        scope="write:tenant"
        params={{ tenant_id: record.id }}
        facts={tenantUpdate}
        fields={isSystemAdministrator ? ['name', 'issuer'] : ['name']}
        hidesTitle
        present={record}
        onDraft={setDraft}
      />
      <Effects id={record.id} draft={draft} />
    </>
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

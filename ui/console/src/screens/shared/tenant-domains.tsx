import type { Tenant } from '@keywright/sdk';
import { type FormEvent, useState } from 'react';
import { useChange } from '../../api/queries.ts';
import { Action } from '../../parts/action.tsx';
import { ApiCall } from '../../parts/api-call.tsx';
import { Button, classesOf } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { Copy } from '../../parts/copy.tsx';
import { TypedField } from '../../parts/form/typed-field.tsx';
import { ProblemNote } from '../../parts/problem-note.tsx';
import { useToast } from '../../parts/toast.tsx';
import { useCaller } from '../../shell/caller.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { useTenant } from '../../url/params.ts';

interface Props {
  readonly record: Tenant;
}

/** Shows the hosts of a tenant, and the result of DNS for each. */
export function TenantDomains({ record }: Props) {
  const { say } = useTexts();
  const { isLoaded } = useCaller();
  const isChanger = useIsChanger();
  return (
    <div className="stack">
      <Card title={say('dnsTitle')}>
        {record.domains.length === 0 ? (
          <p className="muted">{say('domainsEmpty')}</p>
        ) : (
          <div className="stack">
            <p>{say('dnsHint')}</p>
            {record.domains.map((domain) => (
              <Domain key={domain} domain={domain} record={record} />
            ))}
            <p className="muted">{say('dnsApex')}</p>
          </div>
        )}
      </Card>
      {isChanger && <AddDomain key={record.domains.length} record={record} />}
      {isLoaded && !isChanger && <p className="muted">{say('tenantDomainsByOthers')}</p>}
    </div>
  );
}

function Domain({ domain, record }: Props & { readonly domain: string }) {
  const { say } = useTexts();
  const line = `${domain}. CNAME ${globalThis.location.hostname}.`;
  const address = `https://${domain}/console/tenant`;
  return (
    <div className="actions">
      <code className="mono" dir="ltr">
        {line}
      </code>
      <Copy text={line} of={domain} />
      <a
        className={classesOf('plain', true)}
        href={address}
        target="_blank"
        rel="noreferrer"
        aria-label={`${say('openDomain')} ${domain}`}
      >
        {say('openDomain')}
      </a>
      <RemoveDomain domain={domain} record={record} />
    </div>
  );
}

/** Otherwise tenants could take over each other's hosts. */
function useIsChanger(): boolean {
  const { can, isSystemAdministrator } = useCaller();
  return isSystemAdministrator && can('write:logins');
}

function RemoveDomain({ domain, record }: Props & { readonly domain: string }) {
  const { say } = useTexts();
  const isChanger = useIsChanger();
  if (!isChanger) return null;
  const domains = record.domains.filter((other) => other !== domain);
  return (
    <Action
      route="tenants.update"
      input={{ params: { tenant_id: record.id }, body: { domains } }}
      verb={say('domainRemove')}
      title={say('domainRemoveTitle', { name: domain })}
      done={say('domainRemoved', { name: domain })}
      typed={domain}
      isSmall
    >
      <p>{say('tenantDomainRemoveHint')}</p>
    </Action>
  );
}

const HOST = {
  dir: 'ltr',
  maxLength: 300,
  autoComplete: 'off',
  spellCheck: false,
  required: true,
  placeholder: 'login.example.com',
} as const;

function AddDomain({ record }: Props) {
  const { say } = useTexts();
  const toast = useToast();
  const [host, setHost] = useState('');
  const domain = host.trim();
  const input = {
    params: { tenant_id: record.id },
    body: { domains: [...record.domains, domain] },
  };
  const change = useChange(useTenant(), 'tenants.update', () =>
    toast(say('tenantDomainAdded', { name: domain })),
  );
  const wrong = change.error?.errors.find(({ path }) => path.startsWith('/domains'))?.message;
  const send = (event: FormEvent) => {
    event.preventDefault();
    if (!change.isPending) change.mutate(input);
  };
  return (
    <Card title={say('domainAdd')}>
      <form className="form narrow" onSubmit={send}>
        <TypedField
          label={say('tenantDomain')}
          value={host}
          onType={setHost}
          hint={say('tenantDomainHint')}
          error={wrong}
          control={HOST}
        />
        {change.error && !wrong && <ProblemNote problem={change.error} route="tenants.update" />}
        <div className="actions">
          <Button type="submit" kind="solid" disabled={change.isPending}>
            {say('domainAdd')}
          </Button>
        </div>
        <ApiCall route="tenants.update" input={input} />
      </form>
    </Card>
  );
}

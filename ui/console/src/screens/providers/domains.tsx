import type { ProviderDomain } from '@keywright/sdk';
import { type FormEvent, useState } from 'react';
import { useChange } from '../../api/queries.ts';
import { Action } from '../../parts/action.tsx';
import { ApiCall } from '../../parts/api-call.tsx';
import { Button } from '../../parts/button.tsx';
import { Copy } from '../../parts/copy.tsx';
import { TypedField } from '../../parts/form/typed-field.tsx';
import { ProblemNote } from '../../parts/problem-note.tsx';
import { State } from '../../parts/state.tsx';
import type { Column } from '../../parts/table/column.ts';
import { Table } from '../../parts/table/table.tsx';
import { useToast } from '../../parts/toast.tsx';
import { useCaller } from '../../shell/caller.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { useTenant } from '../../url/params.ts';

const COLUMNS: readonly Column<ProviderDomain>[] = [
  { title: 'domain', cell: ({ domain }) => <bdi>{domain}</bdi> },
  { title: 'state', cell: ({ is_verified: isVerified }) => <Verified isVerified={isVerified} /> },
  { title: 'dnsRecord', cell: (domain) => <DnsRecord domain={domain} /> },
  { title: 'tools', cell: (domain) => <Tools domain={domain} /> },
];

interface Props {
  readonly domain: ProviderDomain;
}

/** Domains whose users can log in only at this provider. */
export function ProviderDomains({ providerId }: { readonly providerId: string }) {
  const { say } = useTexts();
  const { can } = useCaller();
  return (
    <div className="stack">
      <p className="muted">{say('providerDomainsHint')}</p>
      {can('write:logins') && <Addition providerId={providerId} />}
      <Table
        route="providers.list_domains"
        label={say('providerDomains')}
        columns={COLUMNS}
        keyOf={({ domain }) => domain}
        params={{ provider_id: providerId }}
        emptyTitle={say('providerDomainsEmptyTitle')}
        guide="domain-routing"
        empty={<p>{say('providerDomainsEmpty')}</p>}
      />
    </div>
  );
}

function Addition({ providerId }: { readonly providerId: string }) {
  const { say } = useTexts();
  const toast = useToast();
  const [domain, setDomain] = useState('');
  const add = useChange(useTenant(), 'providers.add_domain', (added) => {
    setDomain('');
    toast(say('domainAdded', { name: added.domain }));
  });
  const wrong = add.error?.errors[0]?.message;
  const input = { params: { provider_id: providerId }, body: { domain: domain.trim() } };
  const send = (event: FormEvent) => {
    event.preventDefault();
    if (!add.isPending) add.mutate(input);
  };
  return (
    <form className="stack narrow" onSubmit={send}>
      <TypedField
        label={say('domain')}
        value={domain}
        onType={setDomain}
        error={wrong}
        control={{
          dir: 'ltr',
          required: true,
          maxLength: 253,
          placeholder: 'acme.example.com',
          spellCheck: false,
        }}
      />
      {add.error && wrong === undefined && (
        <ProblemNote problem={add.error} route="providers.add_domain" />
      )}
      <div className="actions">
        <Button type="submit" disabled={add.isPending}>
          {say('domainAdd')}
        </Button>
      </div>
      <ApiCall route="providers.add_domain" input={input} />
    </form>
  );
}

function Verified({ isVerified }: { readonly isVerified: boolean }) {
  const { say } = useTexts();
  return (
    <State word={say(isVerified ? 'verified' : 'unverified')} tone={isVerified ? 'ok' : 'brass'} />
  );
}

/** Shows the DNS record to publish, ready to copy. */
function DnsRecord({
  domain: { txt_name: name, txt_value: value, is_verified: isVerified },
}: Props) {
  if (isVerified) return '–';
  return (
    <span className="stack">
      {[name, value].map((text) => (
        <span key={text} className="id">
          <bdi className="mono">{text}</bdi> <Copy text={text} of={text} />
        </span>
      ))}
    </span>
  );
}

function Tools({ domain }: Props) {
  const { can } = useCaller();
  if (!can('write:logins')) return null;
  return (
    <span className="actions">
      {!domain.is_verified && <Verification domain={domain} />}
      <Removal domain={domain} />
    </span>
  );
}

const paramsOf = ({ provider_id, domain }: ProviderDomain) => ({ provider_id, domain });

function Verification({ domain }: Props) {
  const { say } = useTexts();
  const { domain: name } = domain;
  return (
    <Action
      route="providers.verify_domain"
      input={{ params: paramsOf(domain) }}
      verb={say('domainVerify')}
      title={say('domainVerifyTitle', { name })}
      done={say('domainVerified', { name })}
      isBad={false}
      isSmall
    >
      <p>{say('domainVerifyHint')}</p>
    </Action>
  );
}

function Removal({ domain }: Props) {
  const { say } = useTexts();
  const { domain: name } = domain;
  return (
    <Action
      route="providers.remove_domain"
      input={{ params: paramsOf(domain) }}
      verb={say('domainRemove')}
      title={say('domainRemoveTitle', { name })}
      done={say('domainRemoved', { name })}
      isSmall
    >
      <p>{say('domainRemoveHint')}</p>
    </Action>
  );
}

import type { Tenant } from '@keywright/sdk';
import { tenantUpdate } from '../../generated/facts.ts';
import { classesOf } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { Copy } from '../../parts/copy.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { ChangeCard } from '../shared/change-card.tsx';

interface Props {
  readonly record: Tenant;
}

/** The hosts of a tenant, and what DNS has to say of each. */
export function TenantDomains({ record }: Props) {
  const { say } = useTexts();
  return (
    <div className="stack">
      <Card title={say('dnsTitle')}>
        {record.domains.length === 0 ? (
          <p className="muted">{say('domainsEmpty')}</p>
        ) : (
          <div className="stack">
            <p>{say('dnsHint')}</p>
            {record.domains.map((domain) => (
              <Domain key={domain} domain={domain} />
            ))}
            <p className="muted">{say('dnsApex')}</p>
          </div>
        )}
      </Card>
      <ChangeCard
        route="tenants.update"
        scope="write:tenant"
        params={{ tenant_id: record.id }}
        facts={tenantUpdate}
        fields={['domains']}
        present={record}
      />
    </div>
  );
}

function Domain({ domain }: { readonly domain: string }) {
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
    </div>
  );
}

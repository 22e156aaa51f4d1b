import type { Tenant } from '@keywright/sdk';
import { tenantUpdate } from '../../generated/facts.ts';
import { Card } from '../../parts/card.tsx';
import { Copy } from '../../parts/copy.tsx';
import { Facts } from '../../parts/facts.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { EditCard } from '../shared/edit-card.tsx';

interface Props {
  readonly record: Tenant;
}

/** Shows the issuer of a tenant's tokens, and where others discover it. */
export function TenantIssuer({ record }: Props) {
  const { say } = useTexts();
  const rows = [
    [say('issuer'), record.issuer],
    [say('discovery'), `${record.issuer}/.well-known/openid-configuration`],
    [say('keySet'), `${record.issuer}/.well-known/jwks.json`],
  ] as const;
  return (
    <div className="stack">
      <Card title={say('issuer')}>
        <Facts
          rows={rows.map(([title, address]) => [
            title,
            <span key={title} className="actions">
              <bdi className="mono">{address}</bdi>
              <Copy text={address} of={title} />
            </span>,
          ])}
        />
      </Card>
      <div className="note brass">
        <p>{say('issuerHint')}</p>
      </div>
      <EditCard
        title={say('issuerOwn')}
        route="tenants.update"
        scope="write:logins"
        params={{ tenant_id: record.id }}
        facts={tenantUpdate}
        fields={['issuer']}
        present={record}
      />
    </div>
  );
}

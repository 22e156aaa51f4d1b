import type { Tenant } from '@keywright/sdk';
import { useCall } from '../../api/queries.ts';
import { tenantUpdate } from '../../generated/facts.ts';
import { Loaded } from '../../parts/loaded.tsx';
import { Time } from '../../parts/time.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { useTenant } from '../../url/params.ts';
import { EditCard } from '../shared/edit-card.tsx';
import { countsOf } from './counts.ts';

interface Props {
  readonly record: Tenant;
}

export function TenantOverview({ record }: Props) {
  const { say } = useTexts();
  return (
    <div className="stack">
      <EditCard
        title={say('details')}
        route="tenants.update"
        scope="write:tenant"
        params={{ tenant_id: record.id }}
        facts={tenantUpdate}
        fields={['name']}
        present={record}
        rows={[
          [say('issuer'), <bdi key="issuer">{record.issuer}</bdi>],
          [say('created'), <Time key="created" at={record.created_at} isWhole />],
        ]}
      />
      {/* Last, since its height is not known in advance. */}
      <TenantCounts record={record} />
    </div>
  );
}

/** Counts the tenant's records of each kind. */
export function TenantCounts({ record }: Props) {
  const { say, number } = useTexts();
  const params = { tenant_id: record.id };
  const query = useCall(useTenant(), 'tenants.dependents', { params });
  return (
    <Loaded query={query} route="tenants.dependents" rows={2}>
      {(counts) => (
        <dl className="figures" aria-label={say('inNumbers')}>
          {countsOf(counts).map(({ title, count, isMore }) => (
            <div key={title} className="card">
              <dt>{say(title)}</dt>
              <dd>{isMore ? say('moreThan', { count }) : number(count)}</dd>
            </div>
          ))}
        </dl>
      )}
    </Loaded>
  );
}

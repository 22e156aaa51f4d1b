import type { Tenant } from '@keywright/sdk';
import type { ReactNode } from 'react';
import { useCall } from '../../api/queries.ts';
import { Card } from '../../parts/card.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Place } from '../../parts/place.tsx';
import { State } from '../../parts/state.tsx';
import { useCaller } from '../../shell/caller.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { useTenant } from '../../url/params.ts';
import { administratorRole, type Step, stepsOf } from './steps.ts';

const COUNT_ONLY = { limit: 1 };

interface Props {
  /** Waits for the steps, so that nothing is pushed down. */
  readonly children: ReactNode;
}

/** Shows what is left to set up, or nothing once all is done, and the content below. */
export function Checklist({ children }: Props) {
  const tenant = useTenant();
  const query = useCall(tenant, 'tenants.get', { params: { tenant_id: tenant } });
  if (query.error?.status === 403) return children;
  return (
    <Loaded query={query} route="tenants.get" rows={4}>
      {(record) => <Steps record={record}>{children}</Steps>}
    </Loaded>
  );
}

function Steps({ record, children }: Props & { readonly record: Tenant }) {
  const { can } = useCaller();
  const tenant = useTenant();
  const isAdministrator = { ...COUNT_ONLY, role: administratorRole(record.id), is_active: true };
  const admins = useCall(tenant, 'users.list', { query: isAdministrator }, can('read:users'));
  const clients = useCall(tenant, 'clients.list', { query: COUNT_ONLY }, can('read:clients'));
  const steps = stepsOf({
    tenant: record,
    administrators: admins.data?.meta.total,
    clients: clients.data?.meta.total,
  });
  if (admins.isLoading || clients.isLoading) return null;
  return (
    <>
      {steps.some(({ isDone }) => !isDone) && <StepList steps={steps} />}
      {children}
    </>
  );
}

function StepList({ steps }: { readonly steps: readonly Step[] }) {
  const { say } = useTexts();
  return (
    <Card title={say('setUp')}>
      <ul className="checks">
        {steps.map((step) => (
          <li key={step.title}>
            <span>
              <State
                word={say(step.isDone ? 'stepDone' : 'stepOpen')}
                tone={step.isDone ? 'ok' : 'plain'}
              />
            </span>
            <StepTitle step={step} />
          </li>
        ))}
      </ul>
    </Card>
  );
}

function StepTitle({ step: { title, to, search, isDone } }: { readonly step: Step }) {
  const { say } = useTexts();
  if (isDone) return <span>{say(title)}</span>;
  return (
    <span>
      <Place to={to} {...(search && { search })}>
        {say(title)}
      </Place>
    </span>
  );
}

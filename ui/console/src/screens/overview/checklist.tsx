import type { Tenant } from '@keywright/sdk';
import { useCall } from '../../api/queries.ts';
import { classesOf } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { Icon } from '../../parts/icon.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Place } from '../../parts/place.tsx';
import { useCaller } from '../../shell/caller.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { useTenant } from '../../url/params.ts';
import { administratorRole, type Step, stepsOf } from './steps.ts';

const COUNT_ONLY = { limit: 1 };

/** Shows what is left to set up; nothing once all is done. */
export function Checklist() {
  const tenant = useTenant();
  const query = useCall(tenant, 'tenants.get', { params: { tenant_id: tenant } });
  if (query.error?.status === 403) return null;
  return (
    <Loaded query={query} route="tenants.get" rows={4}>
      {(record) => <Steps record={record} />}
    </Loaded>
  );
}

function Steps({ record }: { readonly record: Tenant }) {
  const { can } = useCaller();
  const tenant = useTenant();
  const isAdministrator = { ...COUNT_ONLY, role: administratorRole(record.id), is_active: true };
  const admins = useCall(tenant, 'users.list', { query: isAdministrator }, can('read:users'));
  const clients = useCall(tenant, 'clients.list', { query: COUNT_ONLY }, can('read:clients'));
  if (admins.isLoading || clients.isLoading) return null;
  const steps = stepsOf({
    tenant: record,
    administrators: admins.data?.meta.total,
    clients: clients.data?.meta.total,
  });
  return steps.some(({ isDone }) => !isDone) && <StepList steps={steps} />;
}

function StepList({ steps }: { readonly steps: readonly Step[] }) {
  const { say, number } = useTexts();
  const done = steps.filter(({ isDone }) => isDone).length;
  const progress = say('stepsDone', { done: number(done), all: number(steps.length) });
  return (
    <Card title={say('setUp')} actions={<span className="muted">{progress}</span>}>
      <progress className="progress" max={steps.length} value={done} aria-label={say('setUp')} />
      <ul className="todo">
        {steps
          .toSorted((a, b) => Number(b.isDone) - Number(a.isDone))
          .map((step) => (
            <li key={step.title} className={step.isDone ? 'done' : ''}>
              <Icon name={step.isDone ? 'circle-check' : 'circle'} />
              <span>
                {say(step.title)}
                {step.isDone && <span className="unseen"> ({say('stepDone')})</span>}
              </span>
              {!step.isDone && (
                <Place
                  to={step.to}
                  className={classesOf('ghost', true)}
                  label={`${say('setUpStep')}: ${say(step.title)}`}
                  {...(step.search && { search: step.search })}
                >
                  {say('setUpStep')}
                </Place>
              )}
            </li>
          ))}
      </ul>
    </Card>
  );
}

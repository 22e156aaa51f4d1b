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

/** Reads what the steps depend on, for callers who can read the tenant. */
export function useChecklist() {
  const tenant = useTenant();
  const { can } = useCaller();
  const isReader = can('read:tenant');
  const isAdministrator = { ...COUNT_ONLY, role: administratorRole(tenant), is_active: true };
  const record = useCall(tenant, 'tenants.get', { params: { tenant_id: tenant } }, isReader);
  const admins = useCall(
    tenant,
    'users.list',
    { query: isAdministrator },
    isReader && can('read:users'),
  );
  const clients = useCall(
    tenant,
    'clients.list',
    { query: COUNT_ONLY },
    isReader && can('read:clients'),
  );
  return {
    record,
    isLoading: [record, admins, clients].some(({ isLoading }) => isLoading),
    administrators: admins.data?.meta.total,
    clients: clients.data?.meta.total,
  };
}

/** Shows what is left to set up; nothing once all is done. */
export function Checklist({ record, administrators, clients }: ReturnType<typeof useChecklist>) {
  if (record.error?.status === 403) return null;
  return (
    <Loaded query={record} route="tenants.get" rows={4}>
      {(tenant) => {
        const steps = stepsOf({ tenant, administrators, clients });
        return steps.some(({ isDone }) => !isDone) && <StepList steps={steps} />;
      }}
    </Loaded>
  );
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

import type { Tenant } from '@keywright/sdk';
import { useNavigate } from '@tanstack/react-router';
import { Action } from '../../parts/action.tsx';
import { classesOf } from '../../parts/button.tsx';
import { useCaller } from '../../shell/caller.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { HOME } from '../../url/home.ts';
import { addressOf } from '../../url/inside.ts';
import { useTenant } from '../../url/params.ts';
import { TenantCounts } from './overview.tsx';

interface Props {
  readonly record: Tenant;
}

/** The system administrators' own tenant cannot be suspended or deleted. */
export function TenantActions({ record }: Props) {
  const { say } = useTexts();
  const { isSystemAdministrator } = useCaller();
  if (!isSystemAdministrator || record.id === HOME) return null;
  return (
    <>
      {record.is_active && (
        <a className={classesOf('solid')} href={addressOf(record.id)}>
          {say('goInside')}
        </a>
      )}
      {record.is_active ? <Suspend record={record} /> : <Activate record={record} />}
      <Delete record={record} />
    </>
  );
}

function Suspend({ record: { id, name } }: Props) {
  const { say } = useTexts();
  return (
    <Action
      route="tenants.update"
      input={{ params: { tenant_id: id }, body: { is_active: false } }}
      verb={say('suspend')}
      title={say('suspendTitle', { name })}
      done={say('suspended', { name })}
      typed={id}
    >
      <p>{say('suspendHint')}</p>
    </Action>
  );
}

function Activate({ record: { id, name } }: Props) {
  const { say } = useTexts();
  return (
    <Action
      route="tenants.update"
      input={{ params: { tenant_id: id }, body: { is_active: true } }}
      verb={say('activate')}
      title={say('activateTitle', { name })}
      done={say('activated', { name })}
      isBad={false}
    >
      <p>{say('activateHint')}</p>
    </Action>
  );
}

function Delete({ record }: Props) {
  const { say } = useTexts();
  const home = useTenant();
  const navigate = useNavigate();
  const { id, name } = record;
  return (
    <Action
      route="tenants.delete"
      input={{ params: { tenant_id: id } }}
      icon="trash-2"
      verb={say('delete')}
      title={say('deleteTitle', { name })}
      typed={id}
      done={say('deleted', { name })}
      then={() => void navigate({ to: `/t/${home}/tenants` })}
    >
      <p>{say('deleteTenantHint')}</p>
      <TenantCounts record={record} />
      <p>{say('deleteTenantKey')}</p>
    </Action>
  );
}

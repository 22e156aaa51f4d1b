import type { Tenant } from '@keywright/sdk';
import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useCall } from '../../api/queries.ts';
import { Action } from '../../parts/action.tsx';
import { classesOf } from '../../parts/button.tsx';
import { Icon } from '../../parts/icon.tsx';
import { type Caller, useCaller } from '../../shell/caller.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { HOME } from '../../url/home.ts';
import { addressOf } from '../../url/inside.ts';
import { useTenant } from '../../url/params.ts';
import { DangerZone } from '../shared/danger-zone.tsx';
import { TenantCounts } from './overview.tsx';

interface Props {
  readonly record: Tenant;
}

/** Opens the console of the tenant, which asks who acts there and why. */
export function TenantActions({ record }: Props) {
  const { say } = useTexts();
  const { isSystemAdministrator } = useCaller();
  if (!canEnd(record, isSystemAdministrator) || !record.is_active) return null;
  return (
    <a className={classesOf('solid')} href={addressOf(record.id)}>
      <Icon name="log-in" />
      {say('goInside')}
    </a>
  );
}

/** The system administrators' own tenant cannot be suspended or deleted. */
function canEnd(record: Tenant, isSystemAdministrator: boolean): boolean {
  return isSystemAdministrator && record.id !== HOME;
}

/** Returns the actions of the menu; null: the caller can perform none. */
export function moreTenantActions({
  record,
  isSystemAdministrator,
}: Props & Pick<Caller, 'isSystemAdministrator'>): ReactNode {
  if (!canEnd(record, isSystemAdministrator)) return null;
  return (
    <>
      {record.is_active ? <Suspend record={record} /> : <Activate record={record} />}
      <Delete record={record} />
    </>
  );
}

/** The actions that stop or end the tenant. */
export function TenantDangers({ record }: Props) {
  const { say } = useTexts();
  const { isSystemAdministrator } = useCaller();
  const params = { tenant_id: record.id };
  const counts = useCall(useTenant(), 'tenants.dependents', { params });
  // Below the counts, whose height is not known in advance.
  if (!canEnd(record, isSystemAdministrator) || counts.isLoading) return null;
  const suspension = {
    title: say('suspend'),
    about: say('suspendHint'),
    action: <Suspend record={record} />,
  };
  const deletion = {
    title: say('delete'),
    about: say('deleteTenantAbout'),
    action: <Delete record={record} />,
  };
  return <DangerZone dangers={[...(record.is_active ? [suspension] : []), deletion]} />;
}

function Suspend({ record: { id, name } }: Props) {
  const { say } = useTexts();
  return (
    <Action
      route="tenants.update"
      input={{ params: { tenant_id: id }, body: { is_active: false } }}
      icon="ban"
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
      icon="circle-check"
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

import type { IdentityProvider } from '@keywright/sdk';
import { useNavigate } from '@tanstack/react-router';
import { Action } from '../../parts/action.tsx';
import { classesOf } from '../../parts/button.tsx';
import { useCaller } from '../../shell/caller.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { isInside } from '../../url/inside.ts';
import { useTenant } from '../../url/params.ts';
import { ProviderDependents } from './dependents.tsx';

interface Props {
  readonly provider: IdentityProvider;
}

export function ProviderActions({ provider }: Props) {
  const { say } = useTexts();
  const { can } = useCaller();
  const tenant = useTenant();
  if (!can('write:logins')) return null;
  return (
    <>
      {/* The provider sends back to the console of the tenant, where nobody is who is inside it. */}
      {!isInside && (
        <a
          className={classesOf('plain')}
          href={`/console/t/${tenant}/providers/${provider.id}/test`}
          target="_blank"
          rel="noreferrer"
        >
          {say('providerTest')}
        </a>
      )}
      <Switch provider={provider} />
      <Deletion provider={provider} />
    </>
  );
}

function Switch({ provider: { id, name, is_active: isActive } }: Props) {
  const { say } = useTexts();
  return (
    <Action
      route="providers.update"
      input={{ params: { provider_id: id }, body: { is_active: !isActive } }}
      verb={say(isActive ? 'disable' : 'enable')}
      title={say(isActive ? 'disableTitle' : 'enableTitle', { name })}
      done={say(isActive ? 'disabled' : 'enabled', { name })}
      isBad={isActive}
    >
      <p>{say(isActive ? 'providerDisableHint' : 'providerEnableHint')}</p>
    </Action>
  );
}

function Deletion({ provider: { id, name } }: Props) {
  const { say } = useTexts();
  const tenant = useTenant();
  const navigate = useNavigate();
  return (
    <Action
      route="providers.delete"
      input={{ params: { provider_id: id } }}
      verb={say('delete')}
      title={say('deleteTitle', { name })}
      typed={name}
      done={say('deleted', { name })}
      then={() => void navigate({ to: `/t/${tenant}/providers` })}
    >
      <p>{say('providerDeleteHint')}</p>
      <ProviderDependents providerId={id} />
    </Action>
  );
}

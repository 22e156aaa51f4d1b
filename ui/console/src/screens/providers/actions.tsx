import type { IdentityProvider } from '@keywright/sdk';
import { useNavigate } from '@tanstack/react-router';
import { Action } from '../../parts/action.tsx';
import { classesOf } from '../../parts/button.tsx';
import { Icon } from '../../parts/icon.tsx';
import { useCaller } from '../../shell/caller.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { isInside } from '../../url/inside.ts';
import { useTenant } from '../../url/params.ts';
import { DangerZone } from '../shared/danger-zone.tsx';
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
      {/* The provider redirects to the console of the tenant, where an operator inside it has no session. */}
      {!isInside && (
        <a
          className={classesOf(provider.tested_at === null ? 'solid' : 'plain')}
          href={`/console/t/${tenant}/providers/${provider.id}/test`}
          target="_blank"
          rel="noreferrer"
        >
          <Icon name="play" />
          {say('providerTest')}
        </a>
      )}
      {!provider.is_active && provider.tested_at !== null && <Enabling provider={provider} />}
    </>
  );
}

/** The other actions, in the menu. */
export function MoreProviderActions({ provider }: Props) {
  return (
    <>
      {!provider.is_active && provider.tested_at === null && <Enabling provider={provider} />}
      {provider.is_active && <Disabling provider={provider} />}
      <Deletion provider={provider} />
    </>
  );
}

/** The actions that stop or end the provider. */
export function ProviderDangers({ provider }: Props) {
  const { say } = useTexts();
  const { can } = useCaller();
  if (!can('write:logins')) return null;
  const disabling = {
    title: say('disable'),
    about: say('providerDisableHint'),
    action: <Disabling provider={provider} />,
  };
  const deletion = {
    title: say('delete'),
    about: say('providerDeleteHint'),
    action: <Deletion provider={provider} />,
  };
  return <DangerZone dangers={[...(provider.is_active ? [disabling] : []), deletion]} />;
}

/** Enables a provider. Without a successful test, the button must state that. */
export function Enabling({ provider: { id, name, tested_at: testedAt } }: Props) {
  const { say } = useTexts();
  const isTested = testedAt !== null;
  const body = { is_active: true, ...(!isTested && { skip_test: true }) };
  return (
    <Action
      // An open dialog must not change its meaning.
      key={String(isTested)}
      route="providers.update"
      input={{ params: { provider_id: id }, body }}
      verb={say(isTested ? 'enable' : 'providerEnableUntested')}
      title={say(isTested ? 'enableTitle' : 'providerEnableUntestedTitle', { name })}
      done={say('enabled', { name })}
      isBad={!isTested}
      isNext={isTested}
    >
      {!isTested && <p>{say('providerEnableUntestedHint')}</p>}
      <p>{say('providerEnableHint')}</p>
    </Action>
  );
}

function Disabling({ provider: { id, name } }: Props) {
  const { say } = useTexts();
  return (
    <Action
      route="providers.update"
      input={{ params: { provider_id: id }, body: { is_active: false } }}
      icon="ban"
      verb={say('disable')}
      title={say('disableTitle', { name })}
      done={say('disabled', { name })}
    >
      <p>{say('providerDisableHint')}</p>
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
      icon="trash-2"
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

import type { Tenant } from '@keywright/sdk';
import { useCall, useChange } from '../../api/queries.ts';
import { ApiCall } from '../../parts/api-call.tsx';
import { Button } from '../../parts/button.tsx';
import { ConfirmDialog } from '../../parts/confirm.tsx';
import { QuestionDialog } from '../../parts/dialog.tsx';
import { useToast } from '../../parts/toast.tsx';
import { useCaller } from '../../shell/caller.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { isInside } from '../../url/inside.ts';
import { useTenant } from '../../url/params.ts';
import { AffectedUsers } from '../settings/effects.tsx';
import { isMethodOf, type SignInMethod } from './methods.ts';

interface Props {
  readonly record: Tenant;
  readonly name: string;
  readonly change: Partial<Tenant['config']>;
  readonly isOn: boolean;
  readonly onClose: () => void;
}

/** Changes the settings, and reports that a method was turned on or off. */
export function useTurn(record: Tenant, name: string) {
  const { say } = useTexts();
  const toast = useToast();
  const change = useChange(useTenant(), 'tenants.update');
  const turn = (config: Partial<Tenant['config']>, isOn: boolean, then?: () => void) =>
    change.mutate(
      { params: { tenant_id: record.id }, body: { config } },
      {
        onSuccess: () => {
          toast(say(isOn ? 'methodTurnedOn' : 'methodTurnedOff', { name }));
          then?.();
        },
      },
    );
  return { ...change, turn };
}

/** Shows which users a change affects before it is made. */
export function TurnDialog(props: Props & { readonly method?: SignInMethod }) {
  const { record, name, change, isOn, onClose, method } = props;
  const { say } = useTexts();
  const { turn, isPending, error } = useTurn(record, name);
  const body = { config: change };
  return (
    <ConfirmDialog
      verb={say(isOn ? 'turnOn' : 'turnOff')}
      title={say(isOn ? 'methodOnTitle' : 'methodOffTitle', { name })}
      isBad={!isOn}
      isOpen
      onClose={onClose}
      isPending={isPending}
      problem={error}
      onConfirm={(close) => turn(change, isOn, close)}
      footer={<ApiCall route="tenants.update" input={{ params: { tenant_id: record.id }, body }} />}
    >
      {method && <OwnMethod method={method} />}
      <AffectedUsers id={record.id} change={body} />
    </ConfirmDialog>
  );
}

/** Warns administrators who are signed in with the method. */
function OwnMethod({ method }: { readonly method: SignInMethod }) {
  const { say } = useTexts();
  const { id } = useCaller();
  const isKnown = id !== '' && !isInside;
  const query = { user_id: id, is_active: true, limit: 100 };
  const sessions = useCall(useTenant(), 'sessions.list', { query }, isKnown).data?.items ?? [];
  if (!isMethodOf(method, sessions)) return null;
  return <p className="note brass">{say('methodYours')}</p>;
}

/** Explains why the last method cannot be turned off. */
export function LastMethodDialog({ name, onClose }: Pick<Props, 'name' | 'onClose'>) {
  const { say } = useTexts();
  return (
    <QuestionDialog title={say('methodOffTitle', { name })} isOpen onClose={onClose}>
      <p>{say('methodLast', { name })}</p>
      <div className="actions">
        <Button kind="solid" onClick={onClose}>
          {say('close')}
        </Button>
      </div>
    </QuestionDialog>
  );
}

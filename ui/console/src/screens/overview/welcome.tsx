import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { asProblem } from '../../api/problem.ts';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { ProblemNote } from '../../parts/problem-note.tsx';
import { Secret } from '../../parts/secret.tsx';
import { useToast } from '../../parts/toast.tsx';
import { useCaller } from '../../shell/caller.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { useTenant } from '../../url/params.ts';
import { useView } from '../../url/view.ts';
import { addPasskey } from './passkey.ts';

/** Welcomes the user of the link of a first start. The link works once, so a passkey replaces it. */
export function Welcome() {
  const { say } = useTexts();
  const { name } = useCaller();
  const toast = useToast();
  const tenant = useTenant();
  const { filter } = useView();
  const [codes, setCodes] = useState<readonly string[]>([]);
  const close = () => filter({ welcome: '' });
  const passkey = useMutation({
    mutationFn: () => addPasskey(tenant),
    onSuccess(added) {
      if (!added) return;
      toast(say('passkeyAdded'));
      if (added.recovery_codes) setCodes(added.recovery_codes);
      else close();
    },
  });
  const isRefused = passkey.isSuccess && passkey.data === undefined;
  return (
    <Card title={say('welcome')}>
      <div className="stack">
        <p>{say('welcomeLead', { name })}</p>
        {passkey.isError && <ProblemNote problem={asProblem(passkey.error)} />}
        {isRefused && <p role="alert">{say('passkeyFailed')}</p>}
        <div className="actions">
          <Button kind="solid" disabled={passkey.isPending} onClick={() => passkey.mutate()}>
            {say('passkeyCreate')}
          </Button>
          <Button onClick={close}>{say('notNow')}</Button>
        </div>
      </div>
      {codes.length > 0 && (
        <Secret
          title={say('recoveryCodes')}
          secret={codes.join('\n')}
          fileName="keywright-recovery-codes.txt"
          onStored={close}
        />
      )}
    </Card>
  );
}

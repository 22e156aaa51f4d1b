import { useBlocker } from '@tanstack/react-router';
import { useEffect } from 'react';
import { Button } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { useTexts } from '../../texts/texts.tsx';

/** A run ends with its screen: a user who leaves must confirm, in a dialog of the browser where they leave the page. */
export function Leaving({ isRunning }: { readonly isRunning: boolean }) {
  const { say } = useTexts();
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: () => true,
    disabled: !isRunning,
    withResolver: true,
  });
  // Nothing stops any more: what came of it is what its reader waited for.
  useEffect(() => {
    if (!isRunning) reset?.();
  }, [isRunning, reset]);
  return (
    <Dialog
      title={say('importLeave')}
      isOpen={isRunning && status === 'blocked'}
      onClose={() => reset?.()}
    >
      <p>{say('importLeaveHint')}</p>
      <div className="actions">
        <Button onClick={reset}>{say('importStay')}</Button>
        <Button kind="bad" onClick={proceed}>
          {say('importLeaveNow')}
        </Button>
      </div>
    </Dialog>
  );
}

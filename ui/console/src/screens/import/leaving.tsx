import { useBlocker } from '@tanstack/react-router';
import { useEffect } from 'react';
import { Button } from '../../parts/button.tsx';
import { QuestionDialog } from '../../parts/dialog.tsx';
import { useTexts } from '../../texts/texts.tsx';

/** A run ends with its screen, so leaving must be confirmed: in the browser's dialog if the user leaves the page. */
export function Leaving({ isRunning }: { readonly isRunning: boolean }) {
  const { say } = useTexts();
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: () => true,
    disabled: !isRunning,
    withResolver: true,
  });
  // The run has ended, so its result remains on the screen for the user who waited for it.
  useEffect(() => {
    if (!isRunning) reset?.();
  }, [isRunning, reset]);
  return (
    <QuestionDialog
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
    </QuestionDialog>
  );
}

import { useQueryClient } from '@tanstack/react-query';
import type { User } from '@keywright/sdk';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { Button } from '../../parts/button.tsx';
import { QuestionDialog } from '../../parts/dialog.tsx';
import { useToast } from '../../parts/toast.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { useTenant } from '../../url/params.ts';
import type { Verb } from './bulk-verbs.ts';
import { BulkFailures } from './bulk-failures.tsx';
import { BulkQuestion } from './bulk-question.tsx';
import { type Failed, runEach } from './bulk-run.ts';
import { type Choice, workOn } from './bulk-work.ts';

interface Props {
  readonly verb: Verb;
  readonly users: readonly User[];
  /** Called with the users for whom it succeeded. */
  readonly onDone: (ids: readonly string[]) => void;
  readonly onClose: () => void;
}

/** Asks for confirmation, processes one user after another, and keeps failures in view. */
export function BulkDialog({ verb, users, onDone, onClose }: Props) {
  const { say } = useTexts();
  const run = useRun({ verb, users, onDone, onClose });
  const [choice, setChoice] = useState<Choice>({ reason: '', role: '' });
  const [isReady, setReady] = useState(false);
  const { done, failed } = run;
  const isRunning = done !== undefined && failed === undefined;
  const send = (event: FormEvent) => {
    event.preventDefault();
    if (isReady && done === undefined) run.start(choice);
  };
  return (
    <QuestionDialog
      title={say('bulkTitle', { verb: say(verb), count: users.length })}
      isOpen
      {...(!isRunning && { onClose })}
    >
      <form className="stack" onSubmit={send}>
        {failed ? (
          <BulkFailures failed={failed} />
        ) : isRunning ? (
          <>
            <progress className="progress" max={users.length} value={done} aria-label={say(verb)} />
            <p role="status">{say('bulkProgress', { done, count: users.length })}</p>
          </>
        ) : (
          <BulkQuestion {...{ verb, users, choice }} onChoose={setChoice} onReady={setReady} />
        )}
        <div className="actions">
          {!isRunning && <Button onClick={onClose}>{say(failed ? 'close' : 'cancel')}</Button>}
          {isRunning && <Button onClick={run.stop}>{say('importStop')}</Button>}
          {done === undefined && (
            <Button
              type="submit"
              kind={verb === 'disable' || verb === 'delete' ? 'bad' : 'solid'}
              disabled={!isReady}
            >
              {say(verb)}
            </Button>
          )}
        </div>
      </form>
    </QuestionDialog>
  );
}

/** The run: how many users were tried, and at the end what failed. */
function useRun({ verb, users, onDone, onClose }: Props) {
  const { say } = useTexts();
  const tenant = useTenant();
  const queries = useQueryClient();
  const toast = useToast();
  const [done, setDone] = useState<number | undefined>();
  const [failed, setFailed] = useState<readonly Failed<User>[] | undefined>();
  const abort = useRef<AbortController>(undefined);
  useEffect(() => () => abort.current?.abort(), []);
  const start = async (choice: Choice): Promise<void> => {
    const { signal } = (abort.current = new AbortController());
    let tried = 0;
    setDone(0);
    const problems = await runEach(users, {
      signal,
      work: (user) => workOn(tenant, verb, user, choice),
      onStep: (step) => {
        tried = step;
        setDone(step);
      },
    });
    const isFailed = (user: User) => problems.some(({ item }) => item === user);
    const succeeded = users.slice(0, tried).filter((user) => !isFailed(user));
    toast(say('bulkDone', { count: succeeded.length }));
    onDone(succeeded.map(({ id }) => id));
    if (problems.length === 0) onClose();
    else setFailed(problems);
    await queries.invalidateQueries({ queryKey: [tenant] });
  };
  return {
    done,
    failed,
    start: (choice: Choice) => void start(choice),
    stop: () => abort.current?.abort(),
  };
}

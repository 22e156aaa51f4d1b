import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { Facts } from '../../parts/facts.tsx';
import { ProblemNote } from '../../parts/problem-note.tsx';
import { saveAs } from '../../parts/save.ts';
import { useTexts } from '../../texts/texts.tsx';
import { RefusedTable } from './refused.tsx';
import type { Failure, Run } from './use-import.ts';

interface Props {
  readonly run: Run;
  /** Bytes of the file. */
  readonly size: number;
  readonly onStop: () => void;
  readonly onImport: () => void;
}

/** Shows the progress of a run, its result, and the rejected lines. */
export function Outcome({ run, size, onStop, onImport }: Props) {
  const { say } = useTexts();
  const { isDry, state, tally, failure } = run;
  const isRunning = state === 'running';
  const title = isRunning
    ? say(isDry ? 'importChecking' : 'importing')
    : say(isDry ? 'importChecked' : 'importDone');
  return (
    <>
      <Card
        title={title}
        actions={isRunning && <Button onClick={onStop}>{say('importStop')}</Button>}
      >
        <div className="stack">
          {isRunning && (
            <progress className="progress" aria-label={title} max={size} value={run.bytes} />
          )}
          {failure && <FailureNote failure={failure} isDry={isDry} />}
          <Figures run={run} />
          <div className="actions">
            {isDry && state === 'done' && tally.created > 0 && (
              <Button kind="solid" onClick={onImport}>
                {say('importDo', { count: tally.created })}
              </Button>
            )}
            {!isRunning && tally.report.length > 0 && (
              <Button onClick={() => saveReport(tally.report)}>{say('importReport')}</Button>
            )}
          </div>
        </div>
      </Card>
      {tally.failed > 0 && <RefusedTable tally={tally} />}
    </>
  );
}

function Figures({ run: { isDry, tally } }: Pick<Props, 'run'>) {
  const { say, number } = useTexts();
  const { created, existing, failed } = tally;
  return (
    <div aria-live="polite">
      <Facts
        rows={[
          [say('importRead'), number(created + existing + failed)],
          [say(isDry ? 'importCreatable' : 'importCreated'), number(created)],
          [say('importExisting'), number(existing)],
          [say('importFailed'), number(failed)],
        ]}
      />
    </div>
  );
}

/** Shows why a file was not read, or not to its end. */
export function FailureNote({
  failure,
  isDry,
}: {
  readonly failure: Failure;
  readonly isDry: boolean;
}) {
  const { say } = useTexts();
  if (failure.kind === 'problem') {
    return <ProblemNote problem={failure.problem} route="users.import" />;
  }
  if (failure.kind === 'stopped') return <p>{say(isDry ? 'importTryHint' : 'importStopped')}</p>;
  return (
    <div className="note bad" role="alert">
      <h2>{say('importUnreadable')}</h2>
      <p>{say(failure.kind === 'not_text' ? 'importNotText' : 'importNotUsers')}</p>
    </div>
  );
}

function saveReport(report: readonly string[]): void {
  saveAs('import-report.ndjson', new Blob([...report], { type: 'application/x-ndjson' }));
}

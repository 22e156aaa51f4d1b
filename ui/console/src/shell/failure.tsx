import { type ErrorComponentProps, useRouter } from '@tanstack/react-router';
import { Problem } from '../api/problem.ts';
import { Button } from '../parts/button.tsx';
import { Missing, ProblemNote } from '../parts/problem-note.tsx';
import { useTitle } from '../parts/title.ts';
import { useTexts } from '../texts/texts.tsx';

/** Shown if a screen could not be rendered, or its files could not be loaded. */
export function Failure({ reset }: ErrorComponentProps) {
  const { say } = useTexts();
  useTitle(say('brokenScreen'));
  return (
    <div className="note bad" role="alert">
      <h1>{say('brokenScreen')}</h1>
      <p>{say('brokenScreenHint')}</p>
      <div className="actions">
        <Button onClick={reset}>{say('tryAgain')}</Button>
        <Button onClick={() => globalThis.location.reload()}>{say('reload')}</Button>
      </div>
    </div>
  );
}

/** Shown if it is unknown whether a user is logged in, because the request failed. */
export function Locked(props: ErrorComponentProps) {
  const router = useRouter();
  const { error } = props;
  if (!(error instanceof Problem)) return <Failure {...props} />;
  return (
    <main className="lone">
      <ProblemNote problem={error} onRetry={() => void router.invalidate()} isScreen />
    </main>
  );
}

export function UnknownPlace() {
  const { say } = useTexts();
  useTitle(say('unknownPlace'));
  return <Missing title={say('unknownPlace')} />;
}

export function Waiting() {
  const { say } = useTexts();
  return (
    <p className="muted" aria-busy="true">
      {say('loading')}
    </p>
  );
}

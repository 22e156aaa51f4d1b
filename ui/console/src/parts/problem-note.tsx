import type { Problem } from '../api/problem.ts';
import { UNREACHABLE } from '../api/problem.ts';
import { factsOfRoute, type RouteId } from '../api/routes.ts';
import { useTexts } from '../texts/texts.tsx';
import { goToLogin } from '../url/login.ts';
import { useTenant } from '../url/params.ts';
import { Button } from './button.tsx';

interface Props {
  readonly problem: Problem;
  /** What was called. */
  readonly route?: RouteId;
  readonly onRetry?: () => void;
  /** All that the screen shows, and so has its heading. */
  readonly isScreen?: boolean;
}

/** Why something is not shown or was not done, and what to do about it. */
export function ProblemNote({ problem, route, onRetry, isScreen = false }: Props) {
  const Title = isScreen ? 'h1' : 'h2';
  if (problem.status === 401) return <Ended Title={Title} />;
  if (problem.code === 'STEP_UP_REQUIRED') return <StepUp Title={Title} />;
  if (problem.code === 'SCOPE_REQUIRED') {
    return <Forbidden problem={problem} route={route} Title={Title} />;
  }
  return <Failed problem={problem} onRetry={onRetry} Title={Title} />;
}

type Title = 'h1' | 'h2';

function Ended({ Title }: { Title: Title }) {
  const { say } = useTexts();
  const tenant = useTenant();
  return (
    <div className="note brass" role="alert">
      <Title>{say('sessionEnded')}</Title>
      <p>{say('sessionEndedHint')}</p>
      <Button kind="solid" onClick={() => goToLogin(tenant)}>
        {say('logIn')}
      </Button>
    </div>
  );
}

function StepUp({ Title }: { Title: Title }) {
  const { say } = useTexts();
  const tenant = useTenant();
  return (
    <div className="note brass" role="alert">
      <Title>{say('stepUp')}</Title>
      <p>{say('stepUpHint')}</p>
      <Button kind="solid" onClick={() => goToLogin(tenant, true)}>
        {say('stepUpDo')}
      </Button>
    </div>
  );
}

interface ForbiddenProps {
  readonly problem: Problem;
  readonly route: RouteId | undefined;
  readonly Title: Title;
}

function Forbidden({ problem, route, Title }: ForbiddenProps) {
  const { say } = useTexts();
  const scope = route && factsOfRoute(route).scope;
  return (
    <div className="note" role="alert">
      <Title>{say('forbidden')}</Title>
      <p>{problem.message}</p>
      {scope && (
        <p>
          {say('forbiddenScope')} <bdi className="chip">{scope}</bdi>
        </p>
      )}
      <p className="muted">{say('forbiddenHint')}</p>
      <RequestId problem={problem} />
    </div>
  );
}

interface FailedProps {
  readonly problem: Problem;
  readonly onRetry: (() => void) | undefined;
  readonly Title: Title;
}

function Failed({ problem, onRetry, Title }: FailedProps) {
  const { say } = useTexts();
  const isUnreachable = problem.code === UNREACHABLE;
  return (
    <div className="note bad" role="alert">
      <Title>
        {say(isUnreachable ? 'unreachable' : problem.status === 404 ? 'notFound' : 'failed')}
      </Title>
      <p>{isUnreachable ? say('unreachableHint') : problem.message}</p>
      <RequestId problem={problem} />
      {onRetry && <Button onClick={onRetry}>{say('tryAgain')}</Button>}
    </div>
  );
}

function RequestId({ problem: { requestId, code } }: { problem: Problem }) {
  const { say } = useTexts();
  if (requestId === undefined) return null;
  return (
    <p className="muted">
      {say('requestId')} <bdi className="mono">{requestId}</bdi> ·{' '}
      <bdi className="mono">{code}</bdi>
    </p>
  );
}

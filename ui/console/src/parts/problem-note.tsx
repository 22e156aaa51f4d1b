import { type Problem, UNREACHABLE } from '../api/problem.ts';
import { useCall } from '../api/queries.ts';
import { factsOfRoute, type RouteId } from '../api/routes.ts';
import { nameOfUser } from '../api/users.ts';
import { titleOfResource } from './form/scope-titles.ts';
import { useCaller } from '../shell/caller.tsx';
import { isolated } from '../texts/format.ts';
import type { TextKey } from '../texts/locales.ts';
import { reasonOf } from '../texts/problems.ts';
import { useTexts } from '../texts/texts.tsx';
import { goToLogin } from '../url/login.ts';
import { useTenant } from '../url/params.ts';
import { Button, classesOf } from './button.tsx';
import { Icon } from './icon.tsx';
import { Place } from './place.tsx';
import { useTitle } from './title.ts';

interface Props {
  readonly problem: Problem;
  /** What was called. */
  readonly route?: RouteId;
  readonly onRetry?: () => void;
  /** Whether this is all that the screen shows, so that it contains the screen's heading. */
  readonly isScreen?: boolean;
}

/** Shows why something is not displayed or was not done, and what to do about it. */
export function ProblemNote({ problem, route, onRetry, isScreen = false }: Props) {
  const { say } = useTexts();
  const Title = isScreen ? 'h1' : 'h2';
  useTitle(isScreen ? say(wordOf(problem)) : undefined);
  // Its status is also 401, although there is a session.
  if (problem.code === 'STEP_UP_REQUIRED') return <StepUp Title={Title} />;
  if (problem.status === 401) return <Ended Title={Title} />;
  if (problem.code === 'SCOPE_REQUIRED') {
    return <Forbidden problem={problem} route={route} Title={Title} />;
  }
  return <Failed problem={problem} onRetry={onRetry} Title={Title} />;
}

type Title = 'h1' | 'h2';

/** Returns the heading that names what went wrong. */
function wordOf({ status, code }: Problem): TextKey {
  if (code === 'STEP_UP_REQUIRED') return 'stepUp';
  if (status === 401) return 'sessionEnded';
  if (code === 'SCOPE_REQUIRED') return 'forbidden';
  if (code === UNREACHABLE) return 'unreachable';
  return status === 404 ? 'notFound' : 'failed';
}

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

const ACTIONS = { read: 'needsRead', write: 'needsWrite', delete: 'needsDelete' } as const;

function Forbidden({ problem, route, Title }: ForbiddenProps) {
  const { say } = useTexts();
  const scope = route && factsOfRoute(route).scope;
  const [action = '', resource = ''] = scope?.split(':') ?? [];
  const name = titleOfResource(resource);
  const needs = Object.entries(ACTIONS).find(([named]) => named === action)?.[1];
  const isNamed = name !== undefined && needs !== undefined;
  return (
    <div className="note" role="alert">
      <Title>{isNamed ? say('forbiddenTo', { name: say(name) }) : say('forbidden')}</Title>
      {scope ? (
        <p>
          {isNamed ? say(needs, { name: say(name) }) : say('forbiddenScope')}{' '}
          <bdi className="chip">{scope}</bdi>
        </p>
      ) : (
        <Reason problem={problem} />
      )}
      <p className="muted">
        {say('forbiddenHint')} <Administrators />
      </p>
      <RequestId problem={problem} />
    </div>
  );
}

const ADMINISTRATORS = { query: { role: 'admin', is_active: true, limit: 3 } } as const;

/** Names a few administrators, to callers who can read users. */
function Administrators() {
  const { say } = useTexts();
  const { can } = useCaller();
  const { data } = useCall(useTenant(), 'users.list', ADMINISTRATORS, can('read:users'));
  const names = (data?.items ?? []).map(nameOfUser);
  if (names.length === 0) return null;
  return say('administratorNames', { names: names.map(isolated).join(', ') });
}

interface FailedProps {
  readonly problem: Problem;
  readonly onRetry: (() => void) | undefined;
  readonly Title: Title;
}

function Failed({ problem, onRetry, Title }: FailedProps) {
  const { say } = useTexts();
  const isUnreachable = problem.code === UNREACHABLE;
  // Nothing is wrong, and nothing changes by asking again.
  if (problem.status === 404 && Title === 'h1') return <Missing title={say('notFound')} />;
  return (
    <div className="note bad" role="alert">
      <Title>{say(wordOf(problem))}</Title>
      {isUnreachable ? <p>{say('unreachableHint')}</p> : <Reason problem={problem} />}
      <RequestId problem={problem} />
      {onRetry && <Button onClick={onRetry}>{say('tryAgain')}</Button>}
    </div>
  );
}

/** Shown instead of a screen that does not exist, or whose record does not. */
export function Missing({ title }: { readonly title: string }) {
  const { say } = useTexts();
  return (
    <div className="empty" role="alert">
      <span className="sunk">
        <Icon name="search" />
      </span>
      <h1>{title}</h1>
      <p>{say('unknownPlaceHint')}</p>
      <div className="actions">
        <Place to="/" className={classesOf('plain')}>
          {say('backToOverview')}
        </Place>
      </div>
    </div>
  );
}

/** A proxy in front of the service sends no code. */
function Reason({ problem }: { problem: Problem }) {
  const texts = useTexts();
  return <p>{reasonOf(problem, texts)}</p>;
}

/** Shows the ID of the request, and the error code with a link to the page that explains it. */
function RequestId({ problem: { requestId, code, doc } }: { problem: Problem }) {
  const { say } = useTexts();
  if (requestId === undefined) return null;
  const name = <bdi className="mono">{code}</bdi>;
  return (
    <p className="muted">
      {say('requestId')} <bdi className="mono">{requestId}</bdi> ·{' '}
      {doc === undefined ? (
        name
      ) : (
        <a href={doc} target="_blank" rel="noreferrer">
          {name}
        </a>
      )}
    </p>
  );
}

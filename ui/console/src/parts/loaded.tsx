import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { isPassing, type Problem } from '../api/problem.ts';
import type { RouteId } from '../api/routes.ts';
import { useTexts } from '../texts/texts.tsx';
import { ProblemNote } from './problem-note.tsx';
import { Skeleton } from './skeleton.tsx';

interface Props<Data> {
  readonly query: UseQueryResult<Data, Problem>;
  readonly route: RouteId;
  readonly rows?: number;
  /** All that the screen shows, and so has its heading. */
  readonly isScreen?: boolean;
  readonly children: (data: Data) => ReactNode;
}

/** What a query answered; until then its room, and if it failed why. */
export function Loaded<Data>({ query, route, rows = 6, isScreen = false, children }: Props<Data>) {
  const { say } = useTexts();
  const { data, error, refetch } = query;
  const retry = () => void refetch();
  // What was read before stays, with all that is typed there, unless it is gone or is no longer to be seen.
  if (data !== undefined && (!error || isPassing(error))) {
    return (
      <>
        {error && <ProblemNote problem={error} route={route} onRetry={retry} />}
        {children(data)}
      </>
    );
  }
  if (error) {
    return <ProblemNote problem={error} route={route} onRetry={retry} isScreen={isScreen} />;
  }
  return (
    <div className="card" role="status" aria-busy="true" aria-label={say('loading')}>
      <Skeleton rows={rows} />
    </div>
  );
}

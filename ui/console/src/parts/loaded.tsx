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
  /** Whether this is all that the screen shows, so that it contains the screen's heading. */
  readonly isScreen?: boolean;
  readonly children: (data: Data) => ReactNode;
}

/** Shows what a query returned: a placeholder until then, and the reason if it failed. */
export function Loaded<Data>({ query, route, rows = 6, isScreen = false, children }: Props<Data>) {
  const { data, error, refetch } = query;
  const retry = () => void refetch();
  // Data read before remains, with everything typed there, unless it is gone or can no longer be seen.
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
  return <Loading rows={rows} />;
}

/** Reserves the space of a card that is loading. */
export function Loading({ rows }: { readonly rows: number }) {
  const { say } = useTexts();
  return (
    <div className="card" role="status" aria-busy="true" aria-label={say('loading')}>
      <Skeleton rows={rows} />
    </div>
  );
}

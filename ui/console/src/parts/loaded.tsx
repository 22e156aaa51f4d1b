import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Problem } from '../api/problem.ts';
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
  if (error) {
    const retry = () => void refetch();
    return <ProblemNote problem={error} route={route} onRetry={retry} isScreen={isScreen} />;
  }
  if (data !== undefined) return children(data);
  return (
    <div className="card" role="status" aria-busy="true" aria-label={say('loading')}>
      <Skeleton rows={rows} />
    </div>
  );
}

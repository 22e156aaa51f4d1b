import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Problem } from '../../api/problem.ts';
import type { RouteId } from '../../api/routes.ts';
import { useTexts } from '../../texts/texts.tsx';
import { ProblemNote } from '../problem-note.tsx';
import { Skeleton } from '../skeleton.tsx';
import { useRoles } from './role-facts.ts';
import { useWorkspaces } from './workspace-facts.ts';

/** Shows above a form that its roles cannot be offered. Until then they are typed. */
export function RolesNote() {
  return <ChoiceNote list={useRoles()} route="roles.list" />;
}

export function WorkspacesNote() {
  return <ChoiceNote list={useWorkspaces()} route="workspaces.list" />;
}

/** A form that offers roles and workspaces appears after they were read, so that nothing in it moves. */
export function AfterLists({ children }: { readonly children: ReactNode }) {
  const { say } = useTexts();
  const lists = [useRoles(), useWorkspaces()];
  if (!lists.some(({ isLoading }) => isLoading)) return children;
  return (
    <div className="card" role="status" aria-busy="true" aria-label={say('loading')}>
      <Skeleton rows={6} />
    </div>
  );
}

interface Props {
  readonly list: UseQueryResult<unknown, Problem>;
  readonly route: RouteId;
}

function ChoiceNote({ list: { error, isLoading, refetch }, route }: Props) {
  const { say } = useTexts();
  if (error) return <ProblemNote problem={error} route={route} onRetry={() => void refetch()} />;
  return isLoading && <span role="status" aria-busy="true" aria-label={say('loading')} />;
}

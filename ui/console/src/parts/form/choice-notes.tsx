import type { UseQueryResult } from '@tanstack/react-query';
import type { Problem } from '../../api/problem.ts';
import type { RouteId } from '../../api/routes.ts';
import { useTexts } from '../../texts/texts.tsx';
import { ProblemNote } from '../problem-note.tsx';
import { useRoles } from './role-facts.ts';
import { useWorkspaces } from './workspace-facts.ts';

/** Shows above a form that its roles cannot be offered. Until then they are typed. */
export function RolesNote() {
  return <ChoiceNote list={useRoles()} route="roles.list" />;
}

export function WorkspacesNote() {
  return <ChoiceNote list={useWorkspaces()} route="workspaces.list" />;
}

/** Whether the lists of roles and workspaces are being read. A form waits for them, so that nothing in it moves. */
export function useAreListsLoading(): boolean {
  return [useRoles(), useWorkspaces()].some(
    ({ isLoading, failureCount }) => isLoading && failureCount === 0,
  );
}

interface Props {
  readonly list: UseQueryResult<unknown, Problem>;
  readonly route: RouteId;
}

function ChoiceNote({ list: { error, isLoading, refetch }, route }: Props) {
  const { say } = useTexts();
  if (error) return <ProblemNote problem={error} route={route} onRetry={() => void refetch()} />;
  return (
    isLoading && (
      <span className="unseen" role="status" aria-busy="true" aria-label={say('loading')} />
    )
  );
}

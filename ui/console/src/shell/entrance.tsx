import { useQuery } from '@tanstack/react-query';
import { Navigate } from '@tanstack/react-router';
import { fetchTenant } from '../api/call.ts';
import { asProblem } from '../api/problem.ts';
import { ProblemNote } from '../parts/problem-note.tsx';
import { useTexts } from '../texts/texts.tsx';
import { Mark } from './mark.tsx';

/** The console without a tenant in the URL: opens the tenant of the host. */
export function Entrance() {
  const { say } = useTexts();
  const { data: tenant, error, refetch } = useQuery({ queryKey: ['tenant'], queryFn: fetchTenant });
  if (tenant !== undefined) return <Navigate to={`/t/${tenant}/`} replace />;
  return (
    <main className="lone" aria-busy={error === null}>
      <h1 className="product">
        <Mark />
        Keywright
      </h1>
      {error ? (
        <ProblemNote problem={asProblem(error)} onRetry={() => void refetch()} />
      ) : (
        <p className="muted">{say('loading')}</p>
      )}
    </main>
  );
}

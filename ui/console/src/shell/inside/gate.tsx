import type { ReactNode } from 'react';
import { useCall } from '../../api/queries.ts';
import { ProblemNote } from '../../parts/problem-note.tsx';
import { HOME } from '../../url/home.ts';
import { isInside } from '../../url/inside.ts';
import { useTenant } from '../../url/params.ts';
import { Waiting } from '../failure.tsx';
import { InsideBar } from './bar.tsx';
import { Entry } from './entry.tsx';

/** Requests nothing of another tenant before the reason was entered. */
export function InsideGate({ children }: { readonly children: ReactNode }) {
  return isInside ? <Gate>{children}</Gate> : children;
}

function Gate({ children }: { readonly children: ReactNode }) {
  const tenant = useTenant();
  const query = useCall(HOME, 'impersonations.list', {});
  const { data, error, refetch } = query;
  if (!data && error) {
    return (
      <main className="lone">
        <ProblemNote problem={error} onRetry={() => void refetch()} isScreen />
      </main>
    );
  }
  if (!data) return <Waiting />;
  const impersonation = data.items.find((item) => item.tenant_id === tenant);
  if (!impersonation) return <Entry tenant={tenant} />;
  return (
    <>
      <InsideBar impersonation={impersonation} />
      {children}
    </>
  );
}

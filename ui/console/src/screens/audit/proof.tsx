import type { AuditEntry } from '@keywright/sdk';
import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { call, fetchKeys } from '../../api/call.ts';
import { asProblem } from '../../api/problem.ts';
import { useList } from '../../api/queries.ts';
import { ProblemNote } from '../../parts/problem-note.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { useTenant } from '../../url/params.ts';
import { listQueryOf } from '../../url/search.ts';
import { useView } from '../../url/view.ts';
import { type Verdict, verifyEntries } from './verify.ts';

const CHECKPOINTS = 100;

interface Proof {
  /** Verifies the entries of the page in the browser; undefined if it has none. */
  readonly run: (() => void) | undefined;
  /** The result of the verification. */
  readonly verdict: ReactNode;
}

/** Verifies the entries of the list. @param filters of the list */
export function useProof(filters: readonly string[]): Proof {
  const tenant = useTenant();
  const { search } = useView();
  // The same query as the table's, so that both share one request.
  const list = useList(tenant, 'audit.list', { query: listQueryOf(search, filters) });
  const items = list.data?.items;
  const check = useMutation({
    mutationFn: (entries: readonly AuditEntry[]) => verify(tenant, entries),
  });
  // The filters can have changed since, so the verdict is shown only with the entries that it is about.
  const isAboutItems = items !== undefined && check.variables === items;
  return {
    // While they load, its button already has its place.
    run: list.error || items?.length === 0 ? undefined : () => items && check.mutate(items),
    verdict: (
      <div className="proof" role="status">
        {isAboutItems && check.error && (
          <ProblemNote problem={asProblem(check.error)} route="audit.list_checkpoints" />
        )}
        {isAboutItems && check.data && <VerdictNote verdict={check.data} />}
      </div>
    ),
  };
}

async function verify(tenant: string, entries: readonly AuditEntry[]): Promise<Verdict> {
  const [checkpoints, keys] = await Promise.all([
    call(tenant, 'audit.list_checkpoints', { query: { limit: CHECKPOINTS } }),
    fetchKeys(tenant),
  ]);
  return verifyEntries(entries, checkpoints.items, keys);
}

function VerdictNote({ verdict: { checked, broken, signedTo } }: { readonly verdict: Verdict }) {
  const { say } = useTexts();
  if (broken.length > 0) {
    return (
      <div className="note bad">
        <p>
          <strong>{say('proofBroken', { count: broken.length })}</strong>
        </p>
        <ul>
          {broken.map(({ id, position, problem }) => (
            <li key={`${id} ${problem}`}>{say(`broken.${problem}`, { position })}</li>
          ))}
        </ul>
      </div>
    );
  }
  return (
    <div className="note">
      <p>
        <strong>{say('proofIntact', { count: checked })}</strong>{' '}
        {signedTo === undefined ? say('proofUnsigned') : say('proofSigned', { position: signedTo })}
      </p>
    </div>
  );
}

import type { AuditEntry } from '@keywright/sdk';
import { useMutation } from '@tanstack/react-query';
import { call, fetchKeys } from '../../api/call.ts';
import { asProblem } from '../../api/problem.ts';
import { useList } from '../../api/queries.ts';
import { Button } from '../../parts/button.tsx';
import { ProblemNote } from '../../parts/problem-note.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { useTenant } from '../../url/params.ts';
import { listQueryOf } from '../../url/search.ts';
import { useView } from '../../url/view.ts';
import { type Verdict, verifyEntries } from './verify.ts';

const CHECKPOINTS = 100;

/** Verifies the entries of the list in the browser. @param filters of the list */
export function Proof({ filters }: { readonly filters: readonly string[] }) {
  const { say } = useTexts();
  const tenant = useTenant();
  const { search } = useView();
  // The same query as the table's, so that both share one request.
  const list = useList(tenant, 'audit.list', { query: listQueryOf(search, filters) });
  const items = list.data?.items;
  const check = useMutation({
    mutationFn: (entries: readonly AuditEntry[]) => verify(tenant, entries),
  });
  if (list.error || items?.length === 0) return null;
  // The filters can have changed since, so the verdict is shown only with the entries that it is about.
  const isAboutItems = check.variables === items;
  return (
    <div className="proof">
      <Button disabled={items === undefined} onClick={() => items && check.mutate(items)}>
        {say('verifyPage')}
      </Button>
      {isAboutItems && check.error && (
        <ProblemNote problem={asProblem(check.error)} route="audit.list_checkpoints" />
      )}
      <div role="status">{isAboutItems && check.data && <VerdictNote verdict={check.data} />}</div>
    </div>
  );
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

import type { AuditEntry } from '@keywright/sdk';
import { useState } from 'react';
import { call, fetchKeys } from '../../api/call.ts';
import { asProblem, type Problem } from '../../api/problem.ts';
import { useList } from '../../api/queries.ts';
import { Button } from '../../parts/button.tsx';
import { ProblemNote } from '../../parts/problem-note.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { useTenant } from '../../url/params.ts';
import { listQueryOf } from '../../url/search.ts';
import { useView } from '../../url/view.ts';
import { type Verdict, verifyEntries } from './verify.ts';

const CHECKPOINTS = 100;

interface Found {
  readonly of: readonly AuditEntry[];
  readonly verdict?: Verdict;
  readonly problem?: Problem;
}

const NOTHING: Omit<Found, 'of'> = {};

/** Verifies what the list shows, in the browser. @param filters of the list */
export function Proof({ filters }: { readonly filters: readonly string[] }) {
  const { say } = useTexts();
  const tenant = useTenant();
  const { search } = useView();
  // What the table has read, from the same place.
  const list = useList(tenant, 'audit.list', { query: listQueryOf(search, filters) });
  const items = list.data?.items;
  const [found, setFound] = useState<Found>();
  // It says nothing of other entries, such as those that are shown by the time that it is there.
  const { verdict, problem } = found && found.of === items ? found : NOTHING;
  if (list.error || items?.length === 0) return null;
  const run = async () => {
    if (items) setFound(await verifyShown(tenant, items));
  };
  return (
    <div className="proof">
      <Button disabled={items === undefined} onClick={() => void run()}>
        {say('verifyPage')}
      </Button>
      {problem && <ProblemNote problem={problem} route="audit.list_checkpoints" />}
      <div role="status">{verdict && <Told verdict={verdict} />}</div>
    </div>
  );
}

async function verifyShown(tenant: string, items: readonly AuditEntry[]): Promise<Found> {
  const query = { limit: CHECKPOINTS };
  try {
    const [checkpoints, keys] = await Promise.all([
      call(tenant, 'audit.list_checkpoints', { query }),
      fetchKeys(tenant),
    ]);
    return { of: items, verdict: await verifyEntries(items, checkpoints.items, keys) };
  } catch (error) {
    return { of: items, problem: asProblem(error) };
  }
}

function Told({ verdict: { checked, broken, signedTo } }: { readonly verdict: Verdict }) {
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

import { useState } from 'react';
import { fetchAs } from '../../api/call.ts';
import { asProblem, type Problem } from '../../api/problem.ts';
import { AUDIT_ACTIONS } from '../../generated/choices.ts';
import { Button } from '../../parts/button.tsx';
import { MenuItem } from '../../parts/menu.tsx';
import { Page } from '../../parts/page.tsx';
import { ProblemNote } from '../../parts/problem-note.tsx';
import { saveAs } from '../../parts/save.ts';
import type { Filter } from '../../parts/table/column.ts';
import { useTexts } from '../../texts/texts.tsx';
import { useTenant } from '../../url/params.ts';
import { useView } from '../../url/view.ts';
import { AuditTable } from '../shared/audit-table.tsx';
import { useProof } from './proof.tsx';
import { SavedViews } from './views/saved-views.tsx';

const FILTERS: readonly Filter[] = [
  { name: 'actor', label: 'actor', isExact: true },
  { name: 'action', label: 'action', choices: AUDIT_ACTIONS, words: 'raw' },
  { name: 'target', label: 'target', isExact: true },
  {
    name: 'outcome',
    label: 'outcome',
    choices: ['success', 'failure', 'denied'],
    words: { success: 'outcome.success', failure: 'outcome.failure', denied: 'outcome.denied' },
  },
  { name: 'request_id', label: 'requestId', isExact: true },
  { name: 'from', label: 'from', isMoment: true },
  { name: 'to', label: 'to', isMoment: true },
];

const NAMES = FILTERS.map(({ name }) => name);

const JSON_LINES = 'application/x-ndjson';

export function AuditLog() {
  const { say } = useTexts();
  const { run, verdict } = useProof(NAMES);
  return (
    <Page
      title={say('audit')}
      about={say('auditHint')}
      actions={
        <>
          <SavedViews list={FILTERS} />
          <Export />
        </>
      }
      more={
        run && (
          <MenuItem icon="shield-check" onChoose={run}>
            {say('verifyPage')}
          </MenuItem>
        )
      }
    >
      {verdict}
      <AuditTable filters={FILTERS} />
    </Page>
  );
}

/** Exports the entries that match the filters, in the order of the chain. */
function Export() {
  const { say } = useTexts();
  const tenant = useTenant();
  const { search } = useView();
  const [isPending, setPending] = useState(false);
  const [problem, setProblem] = useState<Problem | undefined>();
  const query = Object.fromEntries(FILTERS.map(({ name }) => [name, search[name]]));
  const run = async () => {
    setPending(true);
    setProblem(undefined);
    try {
      const answer = await fetchAs(tenant, 'audit.list', { query }, JSON_LINES);
      saveAs(`audit-${tenant}.jsonl`, await answer.blob());
    } catch (error) {
      setProblem(asProblem(error));
    }
    setPending(false);
  };
  return (
    <>
      <Button disabled={isPending} onClick={() => void run()}>
        {say(isPending ? 'exporting' : 'export')}
      </Button>
      {problem && <ProblemNote problem={problem} route="audit.list" />}
    </>
  );
}

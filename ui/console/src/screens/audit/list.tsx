import { AUDIT_ACTIONS } from '../../generated/choices.ts';
import { MenuItem } from '../../parts/menu.tsx';
import { Page } from '../../parts/page.tsx';
import type { Filter, View } from '../../parts/table/column.ts';
import { ExportLines } from '../../parts/table/export-lines.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { AuditTable } from '../shared/audit-table.tsx';
import { useProof } from './proof.tsx';
import { SavedViews } from './views/saved-views.tsx';

const FILTERS: readonly Filter[] = [
  { name: 'actor', label: 'actor', of: 'users', isOpen: true },
  { name: 'action', label: 'action', choices: AUDIT_ACTIONS, words: 'raw' },
  { name: 'target', label: 'target', of: 'users', isOpen: true },
  {
    name: 'outcome',
    label: 'outcome',
    choices: ['success', 'failure', 'denied'],
    words: { success: 'outcome.success', failure: 'outcome.failure', denied: 'outcome.denied' },
  },
  { name: 'request_id', label: 'requestId' },
  { name: 'from', label: 'from', isMoment: true },
  { name: 'to', label: 'to', isMoment: true },
];

const NAMES = FILTERS.map(({ name }) => name);

const VIEWS: readonly View[] = [
  { title: 'viewAll', filters: {} },
  { title: 'outcome.failure', filters: { outcome: 'failure' } },
  { title: 'outcome.denied', filters: { outcome: 'denied' } },
];

export function AuditLog() {
  const { say } = useTexts();
  const { run, verdict } = useProof(NAMES);
  return (
    <Page
      title={say('audit')}
      about={say('auditHint')}
      more={
        run && (
          <MenuItem icon="shield-check" onChoose={run}>
            {say('verifyPage')}
          </MenuItem>
        )
      }
    >
      <AuditTable
        filters={FILTERS}
        views={VIEWS}
        notice={verdict}
        tools={
          <>
            <SavedViews list={FILTERS} />
            <ExportLines route="audit.list" of="audit" filters={FILTERS} />
          </>
        }
      />
    </Page>
  );
}

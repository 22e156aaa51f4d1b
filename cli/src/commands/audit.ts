import { EXIT, operation } from '../command.ts';
import { columns, indented, plain } from '../layout.ts';

interface Finding {
  readonly problem: string;
  readonly position: number | null;
  readonly entry_id: string | null;
  readonly detail: string;
}

interface Verdict {
  readonly tenant_id: string | null;
  readonly is_intact: boolean;
  readonly entries: number;
  readonly position: number;
  readonly signed_position: number;
  readonly waiting: number;
  readonly macs_checked: boolean;
  readonly findings: readonly Finding[];
  readonly findings_total: number;
}

export const auditVerify = operation<{
  readonly is_intact: boolean;
  readonly logs: readonly Verdict[];
}>({
  name: 'audit verify',
  summary: 'detect audit entries that were forged, changed, removed or moved',
  details:
    'Verifies the chain of every tenant, or of one, in the database. With --file and --key-set, verifies ' +
    'an export of one log without a database. A truncated log looks intact by itself: only a checkpoint ' +
    'stored elsewhere reveals it. Exits with 3 if it finds problems.',
  options: {
    tenant: { value: 'ID', help: 'such as org_acme; default: every tenant' },
    file: { value: 'FILE', help: 'export of the whole log, as JSON lines' },
    'key-set': { value: 'FILE', help: 'key set of the tenant' },
    checkpoints: { value: 'FILE', help: 'stored checkpoints, one per line' },
  },
  examples: [
    'keywright audit verify',
    'keywright audit verify --tenant org_acme --checkpoints checkpoints.txt',
    'keywright audit verify --file audit.jsonl --key-set keys.json',
  ],
  parameters: (options) => ({
    ...options.field('tenant', 'tenant'),
    ...options.field('file', 'file'),
    ...options.field('key-set', 'key_set'),
    ...options.field('checkpoints', 'checkpoints'),
  }),
  render: ({ logs }) => logs.map(describe).join('\n'),
  exitCode: ({ is_intact: isIntact }) => (isIntact ? EXIT.done : EXIT.findings),
});

function describe(log: Verdict): string {
  const { tenant_id: id, entries, signed_position: signed, waiting } = log;
  const name = plain(id ?? 'the log');
  const unsealed = waiting > 0 ? `; ${waiting} waiting to be sealed` : '';
  const macs = log.macs_checked ? '' : '; MACs not checked';
  if (log.is_intact)
    return `intact   ${name}: ${entries} entries, signed up to ${signed}${unsealed}${macs}`;
  const rows = log.findings.map(({ problem, position, entry_id: entry, detail }) => [
    problem,
    position === null ? '' : String(position),
    `${detail}${entry === null ? '' : ` (${entry})`}`,
  ]);
  const more = log.findings_total - log.findings.length;
  const shown = columns(rows.map((row) => row.map(plain)));
  const rest = more > 0 ? `\n  … and ${more} more` : '';
  return `BROKEN   ${name}: ${entries} entries${unsealed}${macs}\n${indented(shown)}${rest}`;
}

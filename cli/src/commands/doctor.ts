import { EXIT, operation } from '../command.ts';
import { plain } from '../layout.ts';

interface Check {
  readonly name: string;
  readonly state: 'ok' | 'finding' | 'skipped';
  readonly says: string;
  readonly advice?: string;
}

interface Report {
  readonly verdict: 'healthy' | 'findings' | 'unreachable' | 'in_use';
  readonly checks: readonly Check[];
}

const LABELS = { ok: 'ok', finding: 'FINDING', skipped: '-' } as const;
const LABEL_WIDTH = 9;
const NAME_WIDTH = 15;

export const doctor = operation<Report>({
  name: 'doctor',
  summary: 'find problems with an installation and show how to fix them',
  details:
    'Checks the environment, the database, its migrations, tenant isolation, whether the database was ' +
    'restored, its settings, clocks, keys, the administrator, interrupted deletions, the base URL, ' +
    'proxies and the port. Changes nothing. With PostgreSQL, the service can be running; an embedded ' +
    'database is checked only while the service is stopped. Exits with 3 if it finds problems.',
  options: {},
  examples: ['keywright doctor'],
  parameters: () => ({}),
  render: ({ verdict, checks }) => {
    const found = checks.filter((check) => check.state === 'finding').length;
    const end = {
      healthy: 'No problems found.',
      findings: found === 1 ? '1 finding.' : `${found} findings.`,
      unreachable: 'The database could not be reached.',
      in_use: 'The database could not be checked: it is in use.',
    }[verdict];
    return `${checks.map(renderCheck).join('\n')}\n\n${end}`;
  },
  exitCode: ({ verdict }) => {
    if (verdict === 'healthy') return EXIT.done;
    return verdict === 'findings' ? EXIT.findings : EXIT.unavailable;
  },
});

function renderCheck({ name, state, says, advice }: Check): string {
  const line = `${LABELS[state].padEnd(LABEL_WIDTH)}${name.padEnd(NAME_WIDTH)}${plain(says)}`;
  if (advice === undefined) return line;
  return `${line}\n${' '.repeat(LABEL_WIDTH + NAME_WIDTH)}→ ${plain(advice)}`;
}

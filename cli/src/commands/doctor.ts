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

const MARK = { ok: 'ok', finding: 'FINDING', skipped: '-' } as const;
const MARK_WIDTH = 9;
const NAME_WIDTH = 15;

export const doctor = operation<Report>({
  name: 'doctor',
  summary: 'looks for what is wrong with an installation, and says what to do',
  details:
    'Looks at the environment, the database, its migrations, tenant isolation, clocks, keys, the ' +
    'administrator, interrupted deletions, the base URL, proxies and the port. It changes nothing. ' +
    'On PostgreSQL run it while the service runs or not; an embedded database is looked at only while ' +
    'no service has it.',
  options: {},
  examples: ['keywright doctor'],
  given: () => ({}),
  render: ({ verdict, checks }) => {
    const found = checks.filter((check) => check.state === 'finding').length;
    const end = {
      healthy: 'Nothing is wrong.',
      findings: found === 1 ? '1 finding.' : `${found} findings.`,
      unreachable: 'The database could not be reached.',
      in_use: 'The database could not be looked at: it is in use.',
    }[verdict];
    return `${checks.map(renderCheck).join('\n')}\n\n${end}`;
  },
  exitCode: ({ verdict }) => {
    if (verdict === 'healthy') return EXIT.done;
    return verdict === 'findings' ? EXIT.findings : EXIT.unavailable;
  },
});

function renderCheck({ name, state, says, advice }: Check): string {
  const line = `${MARK[state].padEnd(MARK_WIDTH)}${name.padEnd(NAME_WIDTH)}${plain(says)}`;
  if (advice === undefined) return line;
  return `${line}\n${' '.repeat(MARK_WIDTH + NAME_WIDTH)}→ ${plain(advice)}`;
}

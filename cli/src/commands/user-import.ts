import { appendFile, readFile, writeFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import type { ImportResult, UserImport } from '../../../sdk/src/generated/records.ts';
import {
  CommandError,
  type Context,
  EXIT,
  type ParsedOptions,
  remote,
  UsageError,
} from '../command.ts';
import { plain } from '../layout.ts';
import { onTarget } from '../remote/connection.ts';
import { TARGET_OPTIONS } from '../remote/target.ts';
import { type Batch, batchesOf } from '../../../contract/src/user-exports/batches.ts';
import { readHashConfig } from '../../../contract/src/user-exports/firebase.ts';
import { readRecords } from '../user-import/read.ts';
import { SOURCES } from '../../../contract/src/user-exports/sources.ts';

const MAX_TRIES = 5;
const PAUSE_MS = 2000;
const MAX_SHOWN = 20;

interface Outcome {
  readonly dry_run: boolean;
  readonly read: number;
  readonly created: number;
  readonly existing: number;
  readonly failed: number;
  readonly seconds: number;
  /** The first failures; the --report file lists all of them. */
  readonly failures: readonly Failure[];
}

interface Failure {
  readonly at: number;
  readonly code: string;
  readonly path: string;
  readonly message: string;
}

export const userImport = remote<Outcome>({
  name: 'user import',
  summary: 'import users, with their passwords, from another product’s export',
  details:
    'Reads the export of Auth0, Keycloak, Firebase, Supabase, Better Auth or Logto, or JSON lines in the ' +
    'format of the API, and sends the users in batches. Existing users are not changed: after an ' +
    'interruption, run the same command again. docs/migrate/index.md describes how to get each export. ' +
    'Calls POST /api/sso/v1/users/import, which requires the scope write:users. Exits with 3 if some ' +
    'users could not be imported.',
  takes: ['FILE'],
  options: {
    from: {
      value: 'PRODUCT',
      choices: Object.keys(SOURCES),
      help: `format of the file: ${Object.keys(SOURCES).join(', ')}`,
      isRequired: true,
    },
    'hash-config': {
      value: 'FILE',
      help: 'for Firebase: file with the hash parameters of the project, as shown in the Firebase console',
    },
    role: {
      value: 'NAME',
      help: 'role of every imported user; default: member',
      isRepeatable: true,
    },
    report: { value: 'FILE', help: 'file for the result of each user, as JSON lines' },
    'dry-run': { help: 'check every user, without creating any' },
    ...TARGET_OPTIONS,
  },
  examples: [
    'keywright user import password-hashes.ndjson --from auth0 --dry-run',
    'keywright user import users.json --from firebase --hash-config hash-config.txt --report report.ndjson',
  ],
  perform: async (options, context) => {
    const [file = ''] = options.args;
    const name = options.get('from') ?? '';
    const source = Object.hasOwn(SOURCES, name) ? SOURCES[name] : undefined;
    if (!source) throw new UsageError(`--from must be one of ${Object.keys(SOURCES).join(', ')}.`);
    const settings = { hashConfig: await hashConfigOf(options), roles: options.all('role') };
    const report = options.get('report');
    if (report !== undefined) await createReport(report);
    const tally = createTally(options.has('dry-run'));
    for await (const batch of batchesOf(readRecords(file, source), source, settings)) {
      const sent = await sendWithRetries(batch, options, context);
      const outcomes = tally.add(batch, sent);
      if (report !== undefined) await appendFile(report, outcomes);
      context.printError(tally.progress());
    }
    return tally.outcome();
  },
  render: ({ dry_run: isDry, read, created, existing, failed, seconds, failures }) => {
    const would = isDry ? 'Would import' : 'Imported';
    const lines = [
      `${would} ${created} of ${read} users in ${seconds} s; ${existing} already existed, ${failed} failed.`,
      ...failures.map(({ at, path, message }) => `  ${at}: ${plain(`${path} ${message}`.trim())}`),
      ...(failed > failures.length ? ['  … --report lists all of them'] : []),
    ];
    return lines.join('\n');
  },
  exitCode: ({ failed }) => (failed === 0 ? EXIT.done : EXIT.findings),
});

async function hashConfigOf(options: ParsedOptions) {
  const file = options.get('hash-config');
  if (file === undefined) return undefined;
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new UsageError(`${file} cannot be read: ${error.code}.`);
  });
  const config = readHashConfig(text);
  for (const field of ['base64_signer_key', 'rounds', 'mem_cost']) {
    if (!(field in config)) throw new UsageError(`${file} lacks ${field}.`);
  }
  return config;
}

/** Creates the report with mode 0600, because it names users. */
async function createReport(file: string): Promise<void> {
  await writeFile(file, '', { mode: 0o600 }).catch((error: NodeJS.ErrnoException) => {
    throw new UsageError(`${file} cannot be written: ${error.code}.`);
  });
}

/** Retries a request whose response was lost, which is safe because repeating an import is. */
async function sendWithRetries(
  { users }: Batch,
  options: ParsedOptions,
  context: Context,
): Promise<readonly ImportResult[]> {
  if (users.length === 0) return [];
  const lines = users.map(({ user }) => user);
  const query = { dry_run: options.has('dry-run') };
  for (let tries = 1; ; tries += 1) {
    try {
      const answer: UserImport = await onTarget(options, context, ({ client, call }) =>
        client.users.import(lines, query, call),
      );
      return answer.results;
    } catch (error) {
      if (tries === MAX_TRIES || !isTransient(error)) throw error;
      context.printError(`keywright: ${plain(error.message)} Retrying.`);
      await pause(PAUSE_MS);
    }
  }
}

function isTransient(error: unknown): error is CommandError {
  return error instanceof CommandError && error.exitCode === EXIT.unavailable;
}

function createTally(isDry: boolean) {
  const startedAt = Date.now();
  const counts = { created: 0, existing: 0, failed: 0 };
  const failures: Failure[] = [];
  const read = () => counts.created + counts.existing + counts.failed;
  const seconds = () => Math.round((Date.now() - startedAt) / 100) / 10;
  const fail = (failure: Failure) => {
    if (failures.length < MAX_SHOWN) failures.push(failure);
  };
  return {
    /** @returns the lines to append to the report */
    add({ users, problems }: Batch, results: readonly ImportResult[]): string {
      const lines: { at: number }[] = [];
      for (const { at, message } of problems) {
        counts.failed += 1;
        const error = { code: 'NOT_CONVERTED', path: '', message };
        fail({ at, ...error });
        lines.push(Object.assign({ at }, { status: 'failed', error }));
      }
      for (const { line, status, subject, error } of results) {
        const at = users[line - 1]?.at ?? 0;
        counts[status] += 1;
        if (error) fail({ at, ...error });
        lines.push(Object.assign({ at }, { status, subject, error }));
      }
      const sorted = lines.toSorted((line, other) => line.at - other.at);
      return sorted.map((line) => `${JSON.stringify(line)}\n`).join('');
    },
    progress: () =>
      `${read()} users in ${seconds()} s: ${counts.created} ${isDry ? 'could be created' : 'created'}, ${counts.existing} already existed, ${counts.failed} failed`,
    outcome: (): Outcome => ({
      dry_run: isDry,
      read: read(),
      ...counts,
      seconds: seconds(),
      failures,
    }),
  };
}

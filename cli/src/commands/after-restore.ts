import { operation } from '../command.ts';
import { columns, indented } from '../layout.ts';

interface RestoreReport {
  readonly taken_at: string | null;
  readonly tenants: number;
  readonly keys_retired: number;
  readonly sessions_ended: number;
  readonly as_of_backup: Readonly<Record<string, number>> | null;
}

export const afterRestore = operation<RestoreReport>({
  name: 'after-restore',
  summary: 'make a restored database safe to serve',
  details:
    'Run this with every node stopped, before the first start on a database that was restored from a backup or a ' +
    'snapshot, or recovered to a point in time. In one transaction, it replaces the signing keys of all tenants, ends ' +
    'all sessions, deletes logins in progress with their codes and links, and skips bits and versions of status lists, ' +
    'since any of these may have been used or revoked after the backup. It prints what it cannot know. With ' +
    '--nothing-lost, it only records that the database was moved without losing a change: after pg_upgrade, logical ' +
    'replication with the nodes stopped, or the promotion of a standby that had received every change.',
  options: {
    'taken-at': {
      value: 'TIME',
      help: 'when the backup started, or the point in time that was recovered',
    },
    'nothing-lost': { help: 'the database was moved without losing a change' },
  },
  examples: [
    'keywright after-restore --taken-at 2026-01-31T23:30:00Z',
    'keywright after-restore --nothing-lost',
  ],
  parameters: (options) => ({
    ...options.field('taken-at', 'taken_at'),
    ...(options.has('nothing-lost') ? { nothing_lost: true } : {}),
  }),
  render: (report) => {
    const { taken_at: takenAt, as_of_backup: counts } = report;
    if (takenAt === null || counts === null) return 'The service can now start on this database.';
    return [
      `Signing keys retired: ${report.keys_retired}. Sessions ended: ${report.sessions_ended}. Users must sign in again.`,
      '',
      `The database contains no changes made after ${takenAt}. These records have the state of the backup:`,
      '',
      indented(columns(Object.entries(UNKNOWN).map(([name, text]) => [`${counts[name]}`, text]))),
      '',
      ADVICE,
    ].join('\n');
  },
});

/** Data that could have changed since the backup, by the name of its count. */
const UNKNOWN: Readonly<Record<string, string>> = {
  passwords: 'passwords, including those changed since, with their old values',
  second_factors: 'second factors, including those removed since, and recovery codes used since',
  users:
    'users, including those disabled or deleted since, with the roles and identifiers of that time',
  api_keys: 'API keys, including those revoked or rotated since',
  agents: 'agents, including those disabled or deleted since',
  delegations: 'delegations, including those revoked since',
  clients: 'OAuth clients, including those deleted since, with the secrets of that time',
  consents: 'consents, including those revoked since',
  invitations: 'invitations, including those revoked since',
  registration_tokens: 'registration tokens, including those deleted since',
  identity_providers: 'identity providers, including those deleted since',
  tenants:
    'tenants, including those deleted since, with the settings, domains and webhooks of that time',
};

const ADVICE = [
  'Records created since are lost. Before you admit requests, repeat later changes and revocations: find them in events',
  'that webhooks received, exported audit logs and the log of the service. Old passwords are valid again: set new ones',
  'if they might be compromised. docs/guide/backup.md lists the steps.',
].join('\n');

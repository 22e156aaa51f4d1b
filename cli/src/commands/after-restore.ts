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
    'Run this with every node stopped, before the first start on a database that was restored from a backup, a ' +
    'snapshot or to a point in time. In one transaction it replaces the signing keys of all tenants, ends all ' +
    'sessions, deletes logins in progress with their codes and links, and skips numbers of status lists, since any of ' +
    'them may have been used or revoked after the backup. It prints what it cannot know. With --nothing-lost it only ' +
    'records that the database was moved with every change: after pg_upgrade, logical replication with the nodes ' +
    'stopped, or the promotion of a standby that had received everything.',
  options: {
    'taken-at': { value: 'TIME', help: 'when the backup started, or the time recovered to' },
    'nothing-lost': { help: 'the database was moved, and lacks no change' },
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
    if (takenAt === null || counts === null) return 'The service may start on this database.';
    return [
      `Signing keys retired: ${report.keys_retired}. Sessions ended: ${report.sessions_ended}. Users log in again.`,
      '',
      `The database does not show what changed after ${takenAt}. As of the backup, these are valid:`,
      '',
      indented(columns(Object.entries(UNKNOWN).map(([name, text]) => [`${counts[name]}`, text]))),
      '',
      ADVICE,
    ].join('\n');
  },
});

/** What may have changed since, by the name of its count. */
const UNKNOWN: Readonly<Record<string, string>> = {
  passwords: 'passwords, also those changed since, with their old values',
  second_factors: 'second factors, also those removed since, with recovery codes used since',
  users: 'users, also those disabled or deleted since, with the roles and identifiers of that time',
  api_keys: 'API keys, also those revoked or rotated since',
  agents: 'agents, also those disabled or deleted since',
  delegations: 'delegations, also those revoked since',
  clients: 'OAuth clients, also those deleted since, with the secrets of that time',
  consents: 'consents, also those revoked since',
  invitations: 'invitations, also those revoked since',
  registration_tokens: 'registration tokens, also those deleted since',
  identity_providers: 'identity providers, also those deleted since',
  tenants:
    'tenants, also those deleted since, with the settings, domains and webhooks of that time',
};

const ADVICE = [
  'Whatever was created since is gone. Before you admit requests, repeat what was changed and revoked: events that',
  'webhooks received, exported audit logs and the log of the service show it. Old passwords are valid again: set',
  'new ones where they may be known to others. docs/guide/operating.md lists the steps in section 11.',
].join('\n');

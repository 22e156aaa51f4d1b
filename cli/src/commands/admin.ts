import { operation } from '../command.ts';
import { plain } from '../layout.ts';
import { readSecret } from '../secret-input.ts';

export interface Administrator {
  readonly user_id: string;
  readonly identifier: string;
  readonly secret?: string;
}

export const adminCreate = operation<Administrator>({
  name: 'admin create',
  summary: 'create a system administrator',
  details:
    'The administrator is a user of org_default with access to every tenant. Without --secret-stdin, a ' +
    'password is generated and shown once. Passwords are never arguments, because other users of the ' +
    'machine can read arguments.',
  options: {
    identifier: { value: 'ID', help: 'email address or phone number', isRequired: true },
    'secret-stdin': { help: 'read the password from standard input' },
  },
  examples: [
    'keywright admin create --identifier you@example.com',
    'keywright admin create --identifier you@example.com --secret-stdin < secret.txt',
  ],
  parameters: async (options, input) => ({
    ...options.field('identifier', 'identifier'),
    ...(options.has('secret-stdin') ? { secret: await readSecret('secret-stdin', input) } : {}),
  }),
  render: ({ identifier, user_id: id, secret }) =>
    [
      `Created the system administrator ${plain(identifier)} (${id}).`,
      ...(secret === undefined ? [] : [`Password: ${secret}   (shown only once: save it)`]),
    ].join('\n'),
});

interface Recovered extends Administrator {
  readonly factors_removed: number;
  readonly sessions_ended: number;
}

export const adminRecover = operation<Recovered>({
  name: 'admin recover',
  summary: 'restore access for a system administrator who lost a second factor',
  details:
    'Removes every second factor of the administrator, sets a new password and ends their sessions. ' +
    'Without --secret-stdin, a password is generated and shown once. If org_default requires a second ' +
    'factor, the administrator adds one during the next login. Works while the service runs.',
  options: {
    identifier: { value: 'ID', help: 'email address or phone number', isRequired: true },
    'secret-stdin': { help: 'read the password from standard input' },
  },
  examples: ['keywright admin recover --identifier you@example.com'],
  parameters: async (options, input) => ({
    ...options.field('identifier', 'identifier'),
    ...(options.has('secret-stdin') ? { secret: await readSecret('secret-stdin', input) } : {}),
  }),
  render: ({ identifier, user_id: id, factors_removed: factors, sessions_ended: ended, secret }) =>
    [
      `Recovered the system administrator ${plain(identifier)} (${id}).`,
      `Removed ${factors} factors, and ended ${ended} sessions.`,
      ...(secret === undefined ? [] : [`Password: ${secret}   (shown only once: save it)`]),
    ].join('\n'),
});

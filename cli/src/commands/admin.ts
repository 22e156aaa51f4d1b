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
  summary: 'creates a system administrator',
  details:
    'The administrator is a user of org_default who works on every tenant. Without --secret-stdin a ' +
    'secret is drawn and shown once. A secret is never an argument: whoever is on the machine sees ' +
    'arguments.',
  options: {
    identifier: { value: 'ID', help: 'e-mail address or phone number', isRequired: true },
    'secret-stdin': { help: 'reads the secret from standard input' },
  },
  examples: [
    'keywright admin create --identifier you@example.com',
    'keywright admin create --identifier you@example.com --secret-stdin < secret.txt',
  ],
  given: async (options, input) => ({
    ...options.field('identifier', 'identifier'),
    ...(options.has('secret-stdin') ? { secret: await readSecret('secret-stdin', input) } : {}),
  }),
  render: ({ identifier, user_id: id, secret }) =>
    [
      `Created the system administrator ${plain(identifier)} (${id}).`,
      ...(secret === undefined ? [] : [`Secret: ${secret}   (shown only now: keep it)`]),
    ].join('\n'),
});

import { text } from 'node:stream/consumers';
import { type Input, operation, UsageError } from '../command.ts';
import { plain } from '../layout.ts';

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
    ...(options.has('secret-stdin') ? { secret: await readSecret(input) } : {}),
  }),
  render: ({ identifier, user_id: id, secret }) =>
    [
      `Created the system administrator ${plain(identifier)} (${id}).`,
      ...(secret === undefined ? [] : [`Secret: ${secret}   (shown only now: keep it)`]),
    ].join('\n'),
});

/** All of standard input, without the line end that `echo` and editors put after it. */
async function readSecret(input: Input): Promise<string> {
  if (input.isTTY) {
    throw new UsageError(
      '--secret-stdin reads the secret from a pipe or a file, so that it is not shown: keywright … < file',
    );
  }
  const secret = (await text(input)).replace(/\r?\n$/, '');
  if (secret === '') throw new UsageError('--secret-stdin was given, and standard input is empty.');
  return secret;
}

import { operation } from '../command.ts';
import { columns, plain } from '../layout.ts';

interface SigningKey {
  readonly id: string;
  readonly tenant_id: string;
  readonly state: string;
  readonly signs_from: string;
  readonly created_at: string;
}

export const keyRotate = operation<SigningKey>({
  name: 'key rotate',
  summary: 'rotate the signing key of a tenant',
  details:
    'The new key is published immediately and signs five minutes later, when every verifier has it. The ' +
    'previous key remains published until its last token expires. If that key is compromised, use ' +
    '--immediately, and then retire it with DELETE /keys/<id>.',
  options: {
    tenant: { value: 'ID', help: 'such as org_acme', isRequired: true },
    immediately: { help: 'sign with the new key now' },
  },
  examples: [
    'keywright key rotate --tenant org_acme',
    'keywright key rotate --tenant org_acme --immediately',
  ],
  parameters: (options) => ({
    ...options.field('tenant', 'tenant'),
    immediately: options.has('immediately'),
  }),
  render: ({ id, tenant_id: tenant, state, signs_from: from }) =>
    state === 'current'
      ? `${id} of ${tenant} is published and is now the signing key.`
      : `${id} of ${tenant} is published and becomes the signing key at ${from}.`,
});

export const keyList = operation<{ readonly keys: readonly SigningKey[] }>({
  name: 'key list',
  summary: 'list the signing keys of a tenant',
  details:
    'A next key is published and signs later. The current key signs. A previous key is published until ' +
    'its last token expires. A retired key is no longer published. Private keys are never shown.',
  options: { tenant: { value: 'ID', help: 'such as org_acme', isRequired: true } },
  examples: ['keywright key list --tenant org_acme'],
  parameters: (options) => options.field('tenant', 'tenant'),
  render: ({ keys }) => {
    const rows = keys.map(({ id, state, created_at: at, signs_from: from }) =>
      [id, state, at, from].map(plain),
    );
    return columns([['ID', 'STATE', 'CREATED', 'SIGNS FROM'], ...rows]);
  },
});

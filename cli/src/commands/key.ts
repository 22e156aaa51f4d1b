import { operation } from '../command.ts';

interface SigningKey {
  readonly id: string;
  readonly tenant_id: string;
  readonly state: string;
  readonly signs_from: string;
}

export const keyRotate = operation<SigningKey>({
  name: 'key rotate',
  summary: 'gives a tenant a new key that signs its tokens',
  details:
    'The new key is published at once and signs five minutes later, when every verifier has it. The ' +
    'key before it stays published until its last token has expired. Where that key is compromised, ' +
    '--immediately lets the new one sign now; then retire the old one with DELETE /keys/<id>.',
  options: {
    tenant: { value: 'ID', help: 'such as org_acme', isRequired: true },
    immediately: { help: 'lets the new key sign now' },
  },
  examples: [
    'keywright key rotate --tenant org_acme',
    'keywright key rotate --tenant org_acme --immediately',
  ],
  given: (options) => ({
    ...options.field('tenant', 'tenant'),
    immediately: options.has('immediately'),
  }),
  render: ({ id, tenant_id: tenant, state, signs_from: from }) =>
    state === 'current'
      ? `${id} of ${tenant} is published, and signs from now on.`
      : `${id} of ${tenant} is published, and signs from ${from} on.`,
});

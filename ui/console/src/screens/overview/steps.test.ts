import assert from 'node:assert/strict';
import { it } from 'node:test';
import { stepsOf, type StepTenant } from './steps.ts';

const EMPTY: StepTenant = { email_delivery: 'none', domains: [], branding: {} };
const WHOLE: StepTenant = {
  email_delivery: 'tenant',
  domains: ['id.example.com'],
  branding: { company_name: 'Acme' },
};

const openOf = (steps: ReturnType<typeof stepsOf>) =>
  steps.filter(({ isDone }) => !isDone).map(({ title }) => title);

it('A new tenant has every setup step open, and one that is set up has none', () => {
  assert.deepEqual(openOf(stepsOf({ tenant: EMPTY, administrators: 1, clients: 0 })), [
    'step.mail',
    'step.domain',
    'step.branding',
    'step.client',
    'step.administrator',
  ]);
  assert.deepEqual(openOf(stepsOf({ tenant: WHOLE, administrators: 2, clients: 1 })), []);
});

it('An email server is set up if it is the tenant’s own or the installation’s, and an inbox for development is none', () => {
  const isOpen = (delivery: StepTenant['email_delivery']) =>
    openOf(
      stepsOf({ tenant: { ...WHOLE, email_delivery: delivery }, administrators: 2, clients: 1 }),
    ).includes('step.mail');
  assert.deepEqual(
    (['tenant', 'installation', 'development', 'none'] as const).map((delivery) =>
      isOpen(delivery),
    ),
    [false, false, true, true],
  );
});

it('No setup step depends on what the caller is not permitted to know', () => {
  const steps = stepsOf({ tenant: EMPTY, administrators: undefined, clients: undefined });
  assert.deepEqual(openOf(steps), ['step.mail', 'step.domain', 'step.branding']);
});

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { stepsOf, type StepTenant } from './steps.ts';

const EMPTY: StepTenant = { messaging: {}, domains: [], branding: {} };
const WHOLE: StepTenant = {
  messaging: { email: { smtp_host: 'mail.example.com', from_address: 'login@example.com' } },
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

it('A mail server without a sender is not used', () => {
  const tenant = { ...WHOLE, messaging: { email: { smtp_host: 'mail.example.com' } } };
  assert.deepEqual(openOf(stepsOf({ tenant, administrators: 2, clients: 1 })), ['step.mail']);
});

it('No setup step depends on what the caller is not permitted to know', () => {
  const steps = stepsOf({ tenant: EMPTY, administrators: undefined, clients: undefined });
  assert.deepEqual(openOf(steps), ['step.mail', 'step.domain', 'step.branding']);
});

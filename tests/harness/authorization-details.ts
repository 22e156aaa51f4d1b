// A resource with authorization detail types (RFC 9396), like a bank's.

import type { OAuthResourceRecord } from '@keywright/contract/records/oauth-resource';
import { expectStatus } from './http.ts';
import type { TestTenant } from './tenant.ts';

export const BANK = 'https://bank.example.com';
export const PAYMENT = {
  type: 'payment_initiation',
  name: 'Payment',
  description: 'Pay once from one of your accounts',
  fields: [
    {
      name: 'amount',
      label: 'Amount',
      kind: 'object',
      required: true,
      fields: [
        { name: 'value', label: 'value', kind: 'string', required: true },
        { name: 'currency', label: 'currency', kind: 'string', values: ['EUR', 'CHF'] },
      ],
    },
    { name: 'creditor', label: 'To', kind: 'string' },
    { name: 'actions', label: 'It may', kind: 'strings', values: ['initiate', 'status'] },
    { name: 'instant', label: 'Immediately', kind: 'boolean' },
    { name: 'days', label: 'Days', kind: 'number' },
  ],
};
export const ACCOUNTS = {
  type: 'account_information',
  name: 'Accounts',
  description: 'See them',
  fields: [],
};
export const TYPES = [PAYMENT.type, ACCOUNTS.type];
/** One payment, as an application requests it. */
export const PAY = { type: PAYMENT.type, amount: { value: '12.50', currency: 'EUR' } };

/** What a client sends. */
export const detailsParameter = (details: unknown) => ({
  authorization_details: JSON.stringify(details),
});

export async function addBank(
  tenant: TestTenant,
  fields: object = {},
): Promise<OAuthResourceRecord> {
  const types = { authorization_details_types: [PAYMENT, ACCOUNTS] };
  const body = { uri: BANK, name: 'Acme Bank', ...types, ...fields };
  const token = await tenant.adminToken();
  return expectStatus(
    201,
    await tenant.request<OAuthResourceRecord>('POST', '/resources', { token, body }),
  );
}

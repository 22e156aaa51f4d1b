import type { ErrorBody } from '@keywright/contract/errors';
import type { FlowAnswer, OfferedFlow } from '@keywright/contract/records/login-flow';
import { type Answer, expectStatus } from './http.ts';
import type { Credentials, RequestToNode, TestTenant } from './tenant.ts';

/** Starts the flow of an MFA_REQUIRED response, with the password already proven. */
export async function startSecondStep(
  tenant: TestTenant,
  { identifier, password }: Credentials,
  more: object = {},
): Promise<OfferedFlow> {
  const body = { identifier, secret: password, ...more };
  const answer = await tenant.request<ErrorBody & { readonly flow: OfferedFlow }>(
    'POST',
    '/auth/login',
    { body },
  );
  return expectStatus(401, answer).flow;
}

type SecondStepAnswer = FlowAnswer & ErrorBody & { readonly recovery_code?: string };

export function proveSecondFactor(
  tenant: TestTenant,
  step: 'totp' | 'recovery-code',
  { id, flow_token }: OfferedFlow,
  code: string,
  options: RequestToNode = {},
): Promise<Answer<SecondStepAnswer>> {
  const body = { flow_token, code };
  return tenant.request('POST', `/auth/flows/${id}/${step}`, { ...options, body });
}

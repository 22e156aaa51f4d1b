import type { Decision } from '@keywright/contract/records/decision';
import type { ErrorBody } from '@keywright/contract/errors';
import { type Answer, expectStatus } from './http.ts';
import type { RequestToNode, TestTenant } from './tenant.ts';

/** A question about the bearer of a token, or about a named subject. */
export interface Question {
  readonly token?: string;
  readonly subject?: string;
  /** One required scope, or several joined by spaces. */
  readonly scope: string;
  readonly workspace_id?: string;
}

/** Whether the subject has all of the scopes, and the missing ones. */
export interface Verdict {
  readonly allowed: boolean;
  readonly missing: readonly string[];
}

/** One scope as an access evaluation (OpenID AuthZEN §6.1). */
export function evaluationOf({ token, subject = '', scope, workspace_id }: Question) {
  const [name = '', ...resource] = scope.split(':');
  const type = resource.join(':');
  const properties = workspace_id === undefined ? {} : { properties: { workspace_id } };
  const kind = subject.startsWith('user:') ? 'user' : 'agent';
  return {
    subject: token === undefined ? { type: kind, id: subject } : { type: 'token', id: token },
    action: { name },
    resource: { type, id: '*', ...properties },
  };
}

function evaluationsOf({ scope, ...question }: Question) {
  const scopes = [...new Set(scope.split(' '))];
  const { subject } = evaluationOf({ ...question, scope });
  const evaluations = scopes.map((scopeName) => {
    const { action, resource } = evaluationOf({ ...question, scope: scopeName });
    return { action, resource };
  });
  return { subject, evaluations };
}

/** Requests a decision on each scope of the question. */
export function requestDecisions(
  tenant: TestTenant,
  question: Question,
  options: Omit<RequestToNode, 'body'>,
): Promise<Answer<{ evaluations: Decision[] } & ErrorBody>> {
  const body = evaluationsOf(question);
  return tenant.request('POST', '/access/v1/evaluations', { ...options, body });
}

/** @throws if the request fails */
export async function decide(
  tenant: TestTenant,
  question: Question,
  options: Omit<RequestToNode, 'body'>,
): Promise<Verdict> {
  const { evaluations } = expectStatus(200, await requestDecisions(tenant, question, options));
  const scopes = [...new Set(question.scope.split(' '))];
  const missing = scopes.filter((_, at) => evaluations[at]?.decision !== true);
  return { allowed: missing.length === 0, missing };
}

import type { ErrorBody } from '@keywright/contract/errors';
import type { TokenAnswer } from '@keywright/contract/records/tokens';
import type { Answer } from '../harness/http.ts';
import { eventLoopIterations } from '../harness/parallel.ts';
import type { TestTenant, TestUser } from '../harness/tenant.ts';
import { until } from '../harness/until.ts';

export type LoginAnswer = Answer<TokenAnswer & ErrorBody>;

/** Runs `work` while these users log in continuously, on each node in turn. @returns all their logins */
export async function duringLogins(
  tenant: TestTenant,
  users: readonly TestUser[],
  nodes: number,
  work: () => Promise<unknown>,
): Promise<LoginAnswer[]> {
  const answers: LoginAnswer[] = [];
  const state = { isOver: false };
  async function keepLoggingIn({ identifier, password: secret }: TestUser): Promise<void> {
    while (!state.isOver) {
      const node = answers.length % nodes;
      const body = { identifier, secret };
      answers.push(await tenant.request('POST', '/auth/login', { node, body }));
    }
  }
  const logins = users.map(keepLoggingIn);
  try {
    await until('a user is logged in', () => tokensOf(answers).length > 0);
    await work();
    await eventLoopIterations(50);
  } finally {
    state.isOver = true;
    await Promise.all(logins);
  }
  return answers;
}

/** The access tokens that were issued. */
export function tokensOf(answers: readonly LoginAnswer[]): string[] {
  return answers
    .filter((answer) => answer.status === 200)
    .map((answer) => answer.body.access_token);
}

/** Returns the status and code of each response, in no particular order. */
export function says(answers: readonly Answer<object>[]): string[] {
  return answers
    .map(({ status, body }) => ('code' in body ? `${status} ${String(body.code)}` : `${status}`))
    .toSorted();
}

/** The responses that report a failure of the service. */
export function failuresIn(answers: readonly Answer<object>[]): string[] {
  return says(answers).filter((outcome) => outcome.startsWith('5'));
}

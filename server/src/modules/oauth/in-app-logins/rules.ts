import type { FlowNeed } from '@keywright/contract/records/login-flow';
import { IN_APP_STEPS, type InAppNeed } from '@keywright/contract/records/in-app-login';
import type { BodyOf } from '@keywright/contract/route';
import {
  type authorizeChallenge,
  CHALLENGE_STEPS,
} from '@keywright/contract/routes/authorize-challenge';

export type ChallengeBody = BodyOf<typeof authorizeChallenge>;
export type StepName = keyof typeof CHALLENGE_STEPS;

/** A step, and what was sent for it. */
export interface SentStep {
  readonly name: StepName;
  readonly value: string;
}

const NAMES = Object.keys(CHALLENGE_STEPS) as StepName[];

/** What a request goes on with. `several`: nothing says which of them was meant to be first. */
export function stepIn(body: ChallengeBody): SentStep | 'several' | undefined {
  const sent = NAMES.flatMap((name) => {
    const value = body[name];
    return value === undefined ? [] : [{ name, value }];
  });
  return sent.length > 1 ? 'several' : sent[0];
}

/** Those of the next steps that an application can draw. Where there are none, only pages lead on. */
export function inAppNeeds(needs: readonly FlowNeed[]): InAppNeed[] {
  return needs.flatMap(({ step: wanted, channels }) => {
    const step = IN_APP_STEPS.find((one) => one === wanted);
    return step ? [{ step, ...(channels && { channels }) }] : [];
  });
}

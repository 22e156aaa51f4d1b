import { CHALLENGE_FUNCTIONS } from './challenge-functions.ts';
import { CLIENT_FUNCTIONS } from './client-functions.ts';
import { FACTOR_FUNCTIONS } from './factor-functions.ts';
import { FLOW_FUNCTIONS } from './flow-functions.ts';
import type { Check } from './function-check.ts';
import { LOGIN_FUNCTIONS } from './login-functions.ts';

/** The database functions of logins, in one request or in steps. */
export const SIGN_IN_FUNCTIONS: Readonly<Record<string, Check>> = {
  ...LOGIN_FUNCTIONS,
  ...FLOW_FUNCTIONS,
  ...CHALLENGE_FUNCTIONS,
  ...FACTOR_FUNCTIONS,
  ...CLIENT_FUNCTIONS,
};

import { PASSWORD } from '../passwords/index.ts';
import type { Method } from '../proofs/index.ts';

/** The methods that flows keep proofs of, by the name that is stored. */
export const METHODS = { password: PASSWORD } as const satisfies Record<string, Method>;

export type MethodName = keyof typeof METHODS;

import type { Method, Shown } from '@keywright/server/modules/authentication/proofs/proof-rules';

/** Treated as a possession factor in this test. */
export const ONE_TIME_CODE = {
  kind: 'possession',
  allowedAs: 'magic_link',
  amr: ['otp'],
} as const satisfies Method;

export interface OneTimeCodes {
  /** @returns undefined if the code proves nothing */
  prove(code: string): Promise<Shown | undefined>;
  /** Returns a code that proves this once. */
  handOut(shown: Shown): string;
}

export function createOneTimeCode(): OneTimeCodes {
  const handedOut = new Map<string, Shown>();
  return {
    handOut(shown) {
      const code = `code ${handedOut.size}`;
      handedOut.set(code, shown);
      return code;
    },
    async prove(code) {
      const shown = handedOut.get(code);
      handedOut.delete(code);
      return shown;
    },
  };
}

import type {
  LoginMethod,
  Method,
  Shown,
} from '@keywright/server/modules/authentication/proofs/proof';

/** Something that the user has, as far as this test is concerned. */
const ONE_TIME_CODE = {
  kind: 'possession',
  allowedAs: 'magic_link',
  amr: ['otp'],
} as const satisfies Method;

export interface OneTimeCodes extends LoginMethod<string> {
  /** A code that shows this, once. */
  handOut(shown: Shown): string;
}

export function createOneTimeCode(): OneTimeCodes {
  const handedOut = new Map<string, Shown>();
  return {
    ...ONE_TIME_CODE,
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

/** Error codes of second factors, part of ERRORS. */
export const FACTOR_ERRORS = {
  CODE_WRONG: { status: 400, detail: 'The code is wrong, has expired or was already used.' },
  PASSKEY_REFUSED: {
    status: 400,
    detail: 'The passkey was rejected. Try again with new options.',
  },
  TOO_MANY_FACTORS: {
    status: 400,
    detail: 'A user can have at most 20 factors. Remove one first.',
  },
  FACTOR_REQUIRED: {
    status: 400,
    detail: 'The tenant requires a second factor. Add another factor before you remove this one.',
  },
  FACTOR_MISSING: { status: 400, detail: 'A second factor is required. Add one first.' },
} as const;

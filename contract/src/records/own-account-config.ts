import Type from 'typebox';

/** What users may do with their accounts themselves. */
export const OWN_ACCOUNT_CONFIG = {
  allow_account_deletion: Type.Boolean({
    default: false,
    description: 'Whether users may delete their own accounts, after a recent login.',
  }),
};

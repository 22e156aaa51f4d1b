import Type from 'typebox';

/** The changes that users can make to their own accounts. */
export const SELF_SERVICE_CONFIG = {
  allow_account_deletion: Type.Boolean({
    default: false,
    description: 'Whether users can delete their own accounts, after a recent login.',
  }),
};

import Type from 'typebox';

/** The changes that users can make to their own accounts. */
export const SELF_SERVICE_CONFIG = {
  registration_name: Type.Enum(['off', 'optional', 'required'], {
    default: 'optional',
    description:
      'Whether people enter their name when they create an account or accept an invitation. `off`: the pages do not ask for it. `required`: registering without a name is rejected, except at an identity provider.',
  }),
  allow_account_deletion: Type.Boolean({
    default: false,
    description: 'Whether users can delete their own accounts, after a recent login.',
  }),
};

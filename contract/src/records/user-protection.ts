import Type, { type Static } from 'typebox';

const count = (description: string, example: number) =>
  Type.Integer({ minimum: 0, description, examples: [example] });

export const UserProtection = Type.Object(
  {
    users: count('Number of active users that were counted: the newest, at most 10,000.', 48),
    passkey: count('Of these, users with a passkey.', 18),
    authenticator_app: count('Of these, users with an authenticator app and no passkey.', 13),
  },
  { $id: 'UserProtection', description: 'How many users have which second factor.' },
);
export type UserProtection = Static<typeof UserProtection>;

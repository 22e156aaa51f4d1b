import Type, { type Static } from 'typebox';
import { exampleOf } from '../example.ts';
import { UserIdSchema } from '../ids.ts';
import { atIssuer, ISSUER_PATH } from '../issuer-routes.ts';
import { EXAMPLE_JWT, presentedToken } from '../records/tokens.ts';
import { route } from '../route.ts';

const text = (description: string, example: string) =>
  Type.Optional(Type.String({ description, examples: [example] }));

/** OpenID Connect Core §5.1. */
export const Userinfo = Type.Object(
  {
    sub: Type.String({
      description: 'The user: the `sub` of ID tokens of this client.',
      examples: [exampleOf(UserIdSchema)],
    }),
    name: text('Full name.', 'Ada Lovelace'),
    given_name: text('Given names.', 'Ada'),
    middle_name: text('Middle names.', 'Augusta'),
    family_name: text('Family names.', 'Lovelace'),
    nickname: text('A nickname.', 'Ada'),
    preferred_username: text('A short name, which need not be unique.', 'ada'),
    profile: text('Address of a page about the user.', 'https://app.example.com/ada'),
    picture: text('Address of a picture.', 'https://app.example.com/ada.png'),
    website: text('Address of the user’s own page.', 'https://ada.example.com'),
    gender: text('Gender.', 'female'),
    birthdate: text('Date of birth (ISO 8601), or the year.', '1815-12-10'),
    locale: text('Language (BCP 47).', 'en-GB'),
    zoneinfo: text('Time zone.', 'Europe/London'),
    updated_at: Type.Optional(
      Type.Integer({
        description: 'When their `metadata` or their identifiers were last changed, in seconds.',
        examples: [1_767_225_600],
      }),
    ),
    email: text('Email address.', 'ada@example.com'),
    email_verified: Type.Optional(
      Type.Boolean({ description: 'Whether it was verified to belong to the user.' }),
    ),
    phone_number: text('Phone number (E.164).', '+442079460000'),
    phone_number_verified: Type.Optional(
      Type.Boolean({ description: 'Whether it was verified to belong to the user.' }),
    ),
  },
  {
    $id: 'Userinfo',
    description: 'Claims about a user for an OAuth client (OpenID Connect Core §5.3).',
  },
);
export type Userinfo = Static<typeof Userinfo>;

const SignedUserinfo = Type.String({
  description: 'The same as a JWT with `iss` and `aud`, for clients that registered an algorithm.',
  examples: [EXAMPLE_JWT],
});

const DESCRIPTION =
  'For the access token of an OAuth client that was granted `openid`. The claims are those of the scopes `profile`, `email` and `phone`, and those that the client requested by name; unknown ones are left out. `name` and the like are the members of the same name of the user’s `metadata`; `updated_at` is always known.';

export const getUserinfo = route({
  id: 'userinfo.get',
  method: 'GET',
  path: '/oauth/userinfo',
  access: 'tenant',
  cors: 'any',
  summary: 'Claims about the user of an access token',
  description: DESCRIPTION,
  ok: {
    status: 200,
    body: Userinfo,
    alternative: { contentType: 'application/jwt', body: SignedUserinfo },
  },
  errors: ['TOKEN_INVALID', 'TENANT_MISMATCH', 'OAUTH_OFF', 'SCOPE_REQUIRED'],
});

/** OpenID Connect Core §5.3.1. */
export const postUserinfo = route({
  ...getUserinfo,
  id: 'userinfo.post',
  method: 'POST',
  form: 'accepted',
  summary: 'Claims about the user of an access token, by POST',
  description: `${DESCRIPTION} The token is in the header \`Authorization\`, or in the form (RFC 6750 §2.2).`,
  body: Type.Object({
    access_token: Type.Optional(presentedToken('The access token, unless it is in the header.')),
  }),
  errors: ['VALIDATION_FAILED', 'TOKEN_INVALID', 'TENANT_MISMATCH', 'OAUTH_OFF', 'SCOPE_REQUIRED'],
});

export const getUserinfoByIssuer = atIssuer(getUserinfo, {
  id: 'userinfo.get_by_issuer',
  path: `${ISSUER_PATH}${getUserinfo.path}`,
  summary: 'Claims about the user of an access token, at the address of the issuer',
});

export const postUserinfoByIssuer = atIssuer(postUserinfo, {
  id: 'userinfo.post_by_issuer',
  path: `${ISSUER_PATH}${postUserinfo.path}`,
  summary: 'The same by POST, at the address of the issuer',
});

export const USERINFO_ROUTES = [
  getUserinfo,
  postUserinfo,
  getUserinfoByIssuer,
  postUserinfoByIssuer,
];

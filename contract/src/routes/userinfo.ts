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
      description: 'ID of the user: the `sub` of ID tokens of this client.',
      examples: [exampleOf(UserIdSchema)],
    }),
    name: text('Full name.', 'Ada Lovelace'),
    given_name: text('Given names.', 'Ada'),
    middle_name: text('Middle names.', 'Augusta'),
    family_name: text('Family names.', 'Lovelace'),
    nickname: text('A nickname.', 'Ada'),
    preferred_username: text('Short name. Does not need to be unique.', 'ada'),
    profile: text('URL of the user’s profile page.', 'https://app.example.com/ada'),
    picture: text('URL of a picture.', 'https://app.example.com/ada.png'),
    website: text('URL of the user’s own page.', 'https://ada.example.com'),
    gender: text('Gender.', 'female'),
    birthdate: text('Date of birth (ISO 8601), or only the year.', '1815-12-10'),
    locale: text('Language (BCP 47).', 'en-GB'),
    zoneinfo: text('Time zone.', 'Europe/London'),
    updated_at: Type.Optional(
      Type.Integer({
        description:
          'When the user’s `metadata` or identifiers last changed, in seconds since the epoch.',
        examples: [1_767_225_600],
      }),
    ),
    email: text('Email address.', 'ada@example.com'),
    email_verified: Type.Optional(
      Type.Boolean({
        description: 'Whether the email address was verified to belong to the user.',
      }),
    ),
    phone_number: text('Phone number (E.164).', '+442079460000'),
    phone_number_verified: Type.Optional(
      Type.Boolean({ description: 'Whether the phone number was verified to belong to the user.' }),
    ),
  },
  {
    $id: 'Userinfo',
    description: 'Claims about a user for an OAuth client (OpenID Connect Core §5.3).',
  },
);
export type Userinfo = Static<typeof Userinfo>;

const SignedUserinfo = Type.String({
  description:
    'The same claims as a JWT with `iss` and `aud`, for clients that registered an algorithm.',
  examples: [EXAMPLE_JWT],
});

const DESCRIPTION =
  'Requires the access token of an OAuth client that was granted `openid`. Returns the claims of the scopes `profile`, `email` and `phone`, and individually requested claims. Unknown claims are left out. `name` and `picture` are those of the user; claims such as `given_name` come from the member of the same name in the user’s `metadata`; `updated_at` is always present.';

export const getUserinfo = route({
  id: 'userinfo.get',
  method: 'GET',
  path: '/oauth/userinfo',
  access: 'tenant',
  cors: 'any',
  summary: 'Get claims about the user of an access token',
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
  summary: 'Get claims about the user of an access token, with POST',
  description: `${DESCRIPTION} Send the token in the header \`Authorization\`, or in the form (RFC 6750 §2.2).`,
  body: Type.Object({
    access_token: Type.Optional(
      presentedToken('The access token, unless you send it in the header.'),
    ),
  }),
  errors: ['VALIDATION_FAILED', 'TOKEN_INVALID', 'TENANT_MISMATCH', 'OAUTH_OFF', 'SCOPE_REQUIRED'],
});

export const getUserinfoByIssuer = atIssuer(getUserinfo, {
  id: 'userinfo.get_by_issuer',
  path: `${ISSUER_PATH}${getUserinfo.path}`,
  summary: 'Get claims about the user of an access token, at the issuer URL',
});

export const postUserinfoByIssuer = atIssuer(postUserinfo, {
  id: 'userinfo.post_by_issuer',
  path: `${ISSUER_PATH}${postUserinfo.path}`,
  summary: 'Get claims about the user of an access token with POST, at the issuer URL',
});

export const USERINFO_ROUTES = [
  getUserinfo,
  postUserinfo,
  getUserinfoByIssuer,
  postUserinfoByIssuer,
];

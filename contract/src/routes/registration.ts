import Type from 'typebox';
import { OAuthClientIdSchema, pathId } from '../ids.ts';
import { atIssuer, ISSUER_PATH } from '../issuer-routes.ts';
import {
  ChangedClientMetadata,
  ClientInformation,
  ClientMetadata,
} from '../records/client-metadata.ts';
import { route } from '../route.ts';

const REGISTER = '/oauth/register';
const clientPath = Type.Object({ client_id: pathId(OAuthClientIdSchema) });

/** RFC 7591 §3.2.2. */
const WRONG = {
  code: 'CLIENT_METADATA_INVALID',
  at: { '/redirect_uris': 'REDIRECT_URI_INVALID' },
} as const;

export const registerApplication = route({
  id: 'oauth.register',
  method: 'POST',
  path: REGISTER,
  access: 'tenant',
  cors: 'any',
  errorForm: 'oauth',
  summary: 'Register an application dynamically',
  description:
    'Registers an application (RFC 7591). Send a registration token, or a credential with `write:clients`, as the bearer token. If the tenant’s `oauth_registration` is `open`, you can also register without a token or credential, ten times per minute. Unknown members are ignored; the response shows what was registered. The application is never a first-party application.',
  body: ClientMetadata,
  invalidBody: WRONG,
  ok: { status: 201, body: ClientInformation },
  errors: [
    'CLIENT_METADATA_INVALID',
    'REDIRECT_URI_INVALID',
    'REGISTRATION_TOKEN_INVALID',
    'REGISTRATION_OFF',
    'REGISTRATION_FULL',
    'SCOPE_REQUIRED',
    'TOO_MANY_CLIENTS',
    'OAUTH_OFF',
    'TOO_MANY_ATTEMPTS',
  ],
});

const registerApplicationByIssuer = atIssuer(registerApplication, {
  id: 'oauth.register_by_issuer',
  path: `${ISSUER_PATH}${REGISTER}`,
  summary: 'Register an application dynamically, at the issuer URL',
});

const readRegistration = route({
  id: 'oauth.read_registration',
  method: 'GET',
  path: `${REGISTER}/:client_id`,
  access: 'tenant',
  cors: 'any',
  errorForm: 'oauth',
  summary: 'Get the application’s own registration',
  description:
    'Returns the registration (RFC 7592). Send the `registration_access_token` as the bearer token. Secrets are not shown again.',
  params: clientPath,
  ok: { status: 200, body: ClientInformation },
  errors: ['REGISTRATION_TOKEN_INVALID', 'OAUTH_OFF'],
});

const readRegistrationByIssuer = atIssuer(readRegistration, {
  id: 'oauth.read_registration_by_issuer',
  path: `${ISSUER_PATH}${REGISTER}/:client_id`,
  summary: 'Get the application’s own registration, at the issuer URL',
});

export const changeRegistration = route({
  id: 'oauth.change_registration',
  method: 'PUT',
  path: `${REGISTER}/:client_id`,
  access: 'tenant',
  cors: 'any',
  errorForm: 'oauth',
  summary: 'Update the application’s own registration',
  description:
    'Replaces the registration (RFC 7592). Omitted members get their defaults. The authentication method cannot be changed, and the application cannot request more than at its registration. Updates count toward the limit of ten registrations per minute and IP address.',
  params: clientPath,
  body: ChangedClientMetadata,
  invalidBody: WRONG,
  ok: { status: 200, body: ClientInformation },
  errors: [
    'CLIENT_METADATA_INVALID',
    'REDIRECT_URI_INVALID',
    'REGISTRATION_TOKEN_INVALID',
    'OAUTH_OFF',
    'TOO_MANY_ATTEMPTS',
  ],
});

const changeRegistrationByIssuer = atIssuer(changeRegistration, {
  id: 'oauth.change_registration_by_issuer',
  path: `${ISSUER_PATH}${REGISTER}/:client_id`,
  summary: 'Update the application’s own registration, at the issuer URL',
});

const deleteRegistration = route({
  id: 'oauth.delete_registration',
  method: 'DELETE',
  path: `${REGISTER}/:client_id`,
  access: 'tenant',
  cors: 'any',
  errorForm: 'oauth',
  summary: 'Delete the application’s own registration',
  description:
    'Deletes the registration (RFC 7592). The application’s sessions end, and their tokens are rejected immediately.',
  params: clientPath,
  ok: { kind: 'empty', status: 204 },
  errors: ['REGISTRATION_TOKEN_INVALID', 'OAUTH_OFF'],
});

const deleteRegistrationByIssuer = atIssuer(deleteRegistration, {
  id: 'oauth.delete_registration_by_issuer',
  path: `${ISSUER_PATH}${REGISTER}/:client_id`,
  summary: 'Delete the application’s own registration, at the issuer URL',
});

export const REGISTER_ROUTES = [registerApplication, registerApplicationByIssuer] as const;
export const READ_REGISTRATION_ROUTES = [readRegistration, readRegistrationByIssuer] as const;
export const CHANGE_REGISTRATION_ROUTES = [changeRegistration, changeRegistrationByIssuer] as const;
export const DELETE_REGISTRATION_ROUTES = [deleteRegistration, deleteRegistrationByIssuer] as const;

export const REGISTRATION_ROUTES = [
  ...REGISTER_ROUTES,
  ...READ_REGISTRATION_ROUTES,
  ...CHANGE_REGISTRATION_ROUTES,
  ...DELETE_REGISTRATION_ROUTES,
];

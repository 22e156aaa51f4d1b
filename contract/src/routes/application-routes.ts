import { CHALLENGE_ROUTES } from './authorize-challenge.ts';
import { DEVICE_ROUTES } from './device.ts';
import { INTROSPECTION_ROUTES } from './introspection.ts';
import { PUSHED_REQUEST_ROUTES } from './pushed-requests.ts';
import { REGISTRATION_ROUTES } from './registration.ts';
import { REVOCATION_ROUTES } from './revocation.ts';
import { USERINFO_ROUTES } from './userinfo.ts';

/** The routes that applications call themselves, except the token endpoint. */
export const APPLICATION_ROUTES = [
  ...USERINFO_ROUTES,
  ...PUSHED_REQUEST_ROUTES,
  ...CHALLENGE_ROUTES,
  ...DEVICE_ROUTES,
  ...REGISTRATION_ROUTES,
  ...REVOCATION_ROUTES,
  ...INTROSPECTION_ROUTES,
];

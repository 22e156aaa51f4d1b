import type { Cookie } from '../../../platform/http/pages/cookies.ts';
import { DEVICE_LIFE_SECONDS } from './device-tokens.ts';

/**
 * What a browser keeps of a login on a page, so that it is a known device of the user. It remains after a logout, and the next
 * login replaces it, whoever logs in.
 */
export function deviceCookie(token: string): Cookie<'device'> {
  return { name: 'device', value: token, maxAgeSeconds: DEVICE_LIFE_SECONDS };
}

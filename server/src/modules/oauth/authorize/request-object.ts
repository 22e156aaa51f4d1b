import { parseJsonObject } from '../../../platform/crypto/jws.ts';

/** The response mode that a request object asks for (OpenID Connect Core §6.1). Nothing of it is verified. */
export function responseModeIn(object: string): string | undefined {
  const [, payload = ''] = object.split('.', 2);
  const mode = parseJsonObject(payload)?.['response_mode'];
  return typeof mode === 'string' ? mode : undefined;
}

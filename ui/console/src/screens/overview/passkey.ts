import { call } from '../../api/call.ts';
import type { AnswerOf } from '../../api/routes.ts';

/**
 * Asks the browser to create a passkey for the logged-in user (WebAuthn Level 3 §5.1).
 * @returns undefined if the browser or its user created none
 * @throws Problem
 */
export async function addPasskey(
  tenant: string,
): Promise<AnswerOf<'factors.add_passkey'> | undefined> {
  const { options } = await call(tenant, 'factors.passkey_options', {});
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(
    options as PublicKeyCredentialCreationOptionsJSON,
  );
  const made = await navigator.credentials.create({ publicKey }).catch(() => null);
  if (!(made instanceof PublicKeyCredential)) return undefined;
  const credential = made.toJSON() as never;
  return call(tenant, 'factors.add_passkey', { body: { credential } });
}

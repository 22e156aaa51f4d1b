import { createHash, createPrivateKey, type KeyObject, sign } from 'node:crypto';
import { type PasskeyLogin, type RequestSource, type SigningPasskey, withJson } from './traffic.ts';

const CHALLENGE = /"challenge":"([\w-]+)"/;
/** User presence and verification (WebAuthn Level 3 §6.1), and the zero counter of an authenticator without one. */
const FLAGS_AND_COUNTER = Buffer.from('0500000000', 'hex');

/** Two requests for each login: the second signs the challenge in the response to the first. */
export function passkeyLogins(logins: readonly PasskeyLogin[]): RequestSource {
  const keys = new Map<string, KeyObject>();
  let at = 0;
  let challenge: string | undefined;
  return {
    next() {
      const login = logins[at];
      if (!login || challenge === undefined) return login?.options;
      at += 1;
      const { head, fields, passkey } = login;
      const pem = passkey.privateKey;
      const key = keys.get(pem) ?? createPrivateKey(pem);
      keys.set(pem, key);
      const credential = assertionOf(passkey, key, challenge);
      return withJson(head, JSON.stringify({ ...fields, credential }));
    },
    learn(answer) {
      const isDone = challenge !== undefined;
      challenge = isDone ? undefined : CHALLENGE.exec(answer)?.[1];
      const isRight = isDone ? answer.includes('"refresh_token":"') : challenge !== undefined;
      if (!isRight) throw new Error(`no challenge and no tokens:\n${answer}`);
    },
  };
}

/** The result of `navigator.credentials.get()`. */
function assertionOf(passkey: SigningPasskey, key: KeyObject, challenge: string) {
  const { id, userHandle, rpId } = passkey;
  const origin = `https://${rpId}`;
  const clientData = { type: 'webauthn.get', challenge, origin, crossOrigin: false };
  const clientDataJson = Buffer.from(JSON.stringify(clientData));
  const authenticatorData = Buffer.concat([sha256(Buffer.from(rpId)), FLAGS_AND_COUNTER]);
  const signed = Buffer.concat([authenticatorData, sha256(clientDataJson)]);
  const response = {
    clientDataJSON: clientDataJson.toString('base64url'),
    authenticatorData: authenticatorData.toString('base64url'),
    signature: sign('sha256', signed, key).toString('base64url'),
    userHandle,
  };
  return { id, rawId: id, type: 'public-key', response };
}

function sha256(data: Buffer): Buffer {
  return createHash('sha256').update(data).digest();
}

import { createPrivateKey, sign } from 'node:crypto';
import { UpstreamRefused } from './refused.ts';

const LIFE_SECONDS = 300;

interface AppleClient {
  readonly clientId: string;
  readonly issuer: string;
  readonly team_id: string | null;
  readonly key_id: string | null;
}

/** The client secret of one call: signed with the key of the team. @param keyFile PKCS #8, in PEM */
export function appleSecret(
  { clientId, issuer, team_id, key_id }: AppleClient,
  keyFile: string,
  now: Date,
): string {
  const iat = Math.floor(now.getTime() / 1000);
  const claims = { iss: team_id, iat, exp: iat + LIFE_SECONDS, aud: issuer, sub: clientId };
  const input = [{ alg: 'ES256', kid: key_id }, claims]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.');
  try {
    const key = createPrivateKey(keyFile);
    if (key.asymmetricKeyDetails?.namedCurve !== 'prime256v1') throw new Error('Another curve.');
    const signature = sign('sha256', Buffer.from(input), { key, dsaEncoding: 'ieee-p1363' });
    return `${input}.${signature.toString('base64url')}`;
  } catch {
    throw new UpstreamRefused('client_key');
  }
}

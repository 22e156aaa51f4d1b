import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { isIPv4 } from 'node:net';

export interface Certificate {
  /** PEM. */
  readonly cert: string;
  readonly key: string;
}

const ECDSA_WITH_SHA256 = Buffer.from('300a06082a8648ce3d040302', 'hex');
const DAY_MS = 86_400_000;

/** A test's own certificate authority, on ECDSA P-256. */
export class Authority {
  /** PEM. */
  readonly ca: string;
  readonly #issuer: Issuer;

  constructor(name = 'Keywright tests') {
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    // basicConstraints: an authority (RFC 5280 §4.2.1.9).
    const constraints = extension('0603551d13', der(0x30, der(0x01, Buffer.from([0xff]))));
    this.#issuer = { name, key: privateKey };
    this.ca = certify({
      issuer: this.#issuer,
      subject: name,
      publicKey,
      extension: constraints,
      from: -1,
    });
  }

  /** A certificate for names and IPv4 addresses, valid for two days starting yesterday, or expired long ago. */
  issue(
    hosts: readonly string[],
    options: { readonly isExpired?: boolean; readonly isRsa?: boolean } = {},
  ): Certificate {
    const { isExpired = false, isRsa = false } = options;
    const pair = isRsa
      ? generateKeyPairSync('rsa', { modulusLength: 2048 })
      : generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const cert = certify({
      issuer: this.#issuer,
      subject: 'A host',
      publicKey: pair.publicKey,
      // subjectAltName (RFC 5280 §4.2.1.6).
      extension: extension('0603551d11', der(0x30, ...hosts.map(alternativeName))),
      from: isExpired ? -10 : -1,
    });
    return { cert, key: pair.privateKey.export({ type: 'pkcs8', format: 'pem' }) };
  }
}

interface Issuer {
  readonly name: string;
  readonly key: KeyObject;
}

interface CertificateContent {
  readonly issuer: Issuer;
  readonly subject: string;
  readonly publicKey: KeyObject;
  readonly extension: Buffer;
  /** In days from now. */
  readonly from: number;
}

/** RFC 5280 §4.1, in DER. */
function certify(content: CertificateContent): string {
  const { issuer, subject, publicKey } = content;
  const toBeSigned = der(
    0x30,
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.from([1, ...crypto.getRandomValues(new Uint8Array(8))])),
    ECDSA_WITH_SHA256,
    distinguishedName(issuer.name),
    der(0x30, time(content.from), time(content.from + 2)),
    distinguishedName(subject),
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, der(0x30, content.extension)),
  );
  const signature = sign('sha256', toBeSigned, issuer.key);
  const whole = der(0x30, toBeSigned, ECDSA_WITH_SHA256, der(0x03, Buffer.from([0]), signature));
  const lines = whole.toString('base64').match(/.{1,64}/g) ?? [];
  return ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n');
}

function der(tag: number, ...contents: readonly Buffer[]): Buffer {
  const content = Buffer.concat(contents);
  const { length } = content;
  const size =
    length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

function distinguishedName(commonName: string): Buffer {
  const attribute = der(0x30, Buffer.from('0603550403', 'hex'), der(0x0c, Buffer.from(commonName)));
  return der(0x30, der(0x31, attribute));
}

function extension(oid: string, value: Buffer): Buffer {
  return der(0x30, Buffer.from(oid, 'hex'), der(0x04, value));
}

function alternativeName(host: string): Buffer {
  return isIPv4(host)
    ? der(0x87, Buffer.from(host.split('.').map(Number)))
    : der(0x82, Buffer.from(host));
}

/** UTCTime. */
function time(daysFromNow: number): Buffer {
  const iso = new Date(Date.now() + daysFromNow * DAY_MS).toISOString();
  return der(0x17, Buffer.from(`${iso.slice(2, 19).replace(/[-:T]/g, '')}Z`));
}

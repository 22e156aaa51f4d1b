import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import type {
  AcceptedPasskeys,
  PasskeyAssertion,
  PasskeyCreationOptions,
  PasskeyRegistration,
  PasskeyRequestOptions,
} from '@keywright/contract/records/passkey';
import type { FactorRecord } from '@keywright/contract/records/factor';
import type { StartedFlow, FlowAnswer } from '@keywright/contract/records/login-flow';
import type { ErrorBody } from '@keywright/contract/errors';
import { type Answer, expectStatus } from './http.ts';
import type { RequestToNode, TestTenant } from './tenant.ts';
import { type Seen, unescape } from './visitor.ts';

/** The flags of authenticator data (WebAuthn Level 3 §6.1). */
export const FLAG = { up: 0x01, uv: 0x04, be: 0x08, bs: 0x10, at: 0x40, ed: 0x80 } as const;

const ORIGIN = 'https://id.example.com';

/** Deviations from the behavior of an authenticator and its browser. */
export interface Odd {
  readonly origin?: string;
  readonly rpId?: string;
  readonly flags?: number;
  readonly counter?: number;
  readonly userHandle?: string | null;
  /** Members of the client data. */
  readonly clientData?: Readonly<Record<string, unknown>>;
  /** Bytes after the authenticator data, which are also signed. */
  readonly trailing?: Buffer;
  readonly attestation?: { readonly fmt: string; readonly attStmt: Buffer };
  readonly key?: KeyObject;
}

/** The options that the authenticator uses. */
interface Creation {
  readonly challenge: string;
  readonly rp: { readonly id: string };
  readonly user: { readonly id: string };
}

/** A software passkey, which acts as both browser and authenticator. */
export class TestPasskey {
  readonly id = randomBytes(16);
  readonly algorithm: -7 | -8 | -257;
  readonly isSynced: boolean;
  readonly aaguid: string;
  readonly key: KeyObject;
  readonly #cose: Buffer;
  userHandle = '';
  counter = 0;

  constructor({
    algorithm = -7,
    isSynced = false,
    aaguid = '00000000-0000-0000-0000-000000000000',
  }: { algorithm?: -7 | -8 | -257; isSynced?: boolean; aaguid?: string } = {}) {
    this.algorithm = algorithm;
    this.isSynced = isSynced;
    this.aaguid = aaguid;
    const { privateKey, cose } = newKey(algorithm);
    this.key = privateKey;
    this.#cose = cose;
  }

  /** The answer of `navigator.credentials.create()`. */
  create(options: Creation, odd: Odd = {}): PasskeyRegistration {
    this.userHandle = options.user.id;
    const clientData = this.#clientData('webauthn.create', options.challenge, odd);
    const length = Buffer.alloc(2);
    length.writeUInt16BE(this.id.length);
    const data = Buffer.concat([
      this.#authenticatorData(odd.rpId ?? options.rp.id, odd, FLAG.at),
      Buffer.from(this.aaguid.replaceAll('-', ''), 'hex'),
      length,
      this.id,
      this.#cose,
      odd.trailing ?? Buffer.alloc(0),
    ]);
    const { fmt, attStmt } = odd.attestation ?? { fmt: 'none', attStmt: Buffer.from([0xa0]) };
    const attestationObject = Buffer.concat([
      Buffer.from([0xa3]),
      cborText('fmt'),
      cborText(fmt),
      cborText('attStmt'),
      attStmt,
      cborText('authData'),
      cborBytes(data),
    ]);
    return {
      ...this.#credential(),
      response: {
        clientDataJSON: clientData.toString('base64url'),
        attestationObject: attestationObject.toString('base64url'),
        transports: ['internal'],
      },
    };
  }

  /** The answer of `navigator.credentials.get()`. */
  get(options: Pick<PasskeyRequestOptions, 'challenge' | 'rpId'>, odd: Odd = {}): PasskeyAssertion {
    const clientData = this.#clientData('webauthn.get', options.challenge, odd);
    const data = Buffer.concat([
      this.#authenticatorData(odd.rpId ?? options.rpId, odd, 0),
      odd.trailing ?? Buffer.alloc(0),
    ]);
    const signed = Buffer.concat([data, sha256(clientData)]);
    const signature = sign(this.algorithm === -8 ? null : 'sha256', signed, odd.key ?? this.key);
    const userHandle = odd.userHandle === undefined ? this.userHandle : odd.userHandle;
    return {
      ...this.#credential(),
      response: {
        clientDataJSON: clientData.toString('base64url'),
        authenticatorData: data.toString('base64url'),
        signature: signature.toString('base64url'),
        ...(userHandle === null ? {} : { userHandle }),
      },
    };
  }

  #credential() {
    const id = this.id.toString('base64url');
    return { id, rawId: id, type: 'public-key' as const };
  }

  #clientData(type: string, challenge: string, { origin = ORIGIN, clientData }: Odd): Buffer {
    const data = { type, challenge, origin, crossOrigin: false, ...clientData };
    return Buffer.from(JSON.stringify(data));
  }

  #authenticatorData(rpId: string, { flags, counter }: Odd, more: number): Buffer {
    const synced = this.isSynced ? FLAG.be | FLAG.bs : 0;
    const count = Buffer.alloc(4);
    count.writeUInt32BE(counter ?? this.counter);
    const byte = flags ?? FLAG.up | FLAG.uv | synced | more;
    return Buffer.concat([sha256(Buffer.from(rpId)), Buffer.from([byte]), count]);
  }
}

export interface AddedPasskey {
  readonly factor: FactorRecord;
  readonly recovery_codes: string[] | null;
  readonly accepted_passkeys: AcceptedPasskeys;
}

export async function creationOptions(
  tenant: TestTenant,
  token: string,
): Promise<PasskeyCreationOptions> {
  const path = '/me/factors/passkeys/options';
  const answer = await tenant.request<{ options: PasskeyCreationOptions }>('POST', path, { token });
  return expectStatus(200, answer).options;
}

export async function addPasskey(
  tenant: TestTenant,
  token: string,
  passkey = new TestPasskey(),
): Promise<AddedPasskey & { readonly passkey: TestPasskey }> {
  const body = { credential: passkey.create(await creationOptions(tenant, token)) };
  const path = '/me/factors/passkeys';
  const added = await tenant.request<AddedPasskey>('POST', path, { token, body });
  return { ...expectStatus(201, added), passkey };
}

/** Starts a flow, without an identifier unless the body has one. */
export async function startPasskeyFlow(
  tenant: TestTenant,
  body: Readonly<Record<string, unknown>> = {},
): Promise<StartedFlow> {
  return expectStatus(201, await tenant.request<StartedFlow>('POST', '/auth/flows', { body }));
}

export type PasskeyStepAnswer = FlowAnswer &
  ErrorBody & { readonly accepted_passkeys?: AcceptedPasskeys };

type InFlow = { readonly flow: { readonly id: string }; readonly flow_token: string };

export async function requestOptions(
  tenant: TestTenant,
  { flow, flow_token }: InFlow,
): Promise<PasskeyRequestOptions> {
  const path = `/auth/flows/${flow.id}/passkey/options`;
  const answer = await tenant.request<{ options: PasskeyRequestOptions }>('POST', path, {
    body: { flow_token },
  });
  return expectStatus(200, answer).options;
}

export function provePasskey(
  tenant: TestTenant,
  { flow, flow_token }: InFlow,
  credential: unknown,
  options: RequestToNode = {},
): Promise<Answer<PasskeyStepAnswer>> {
  const path = `/auth/flows/${flow.id}/passkey`;
  return tenant.request('POST', path, { ...options, body: { flow_token, credential } });
}

function newKey(algorithm: number): { privateKey: KeyObject; cose: Buffer } {
  if (algorithm === -257) {
    const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const { n = '', e = '' } = publicKey.export({ format: 'jwk' });
    const fields = [cborBytes(fromBase64url(n)), Buffer.from([0x21]), cborBytes(fromBase64url(e))];
    const head = Buffer.from([0xa4, 0x01, 0x03, 0x03, 0x39, 0x01, 0x00, 0x20]);
    return { privateKey, cose: Buffer.concat([head, ...fields]) };
  }
  if (algorithm === -8) {
    const { privateKey, publicKey } = generateKeyPairSync('ed25519');
    const { x = '' } = publicKey.export({ format: 'jwk' });
    const head = Buffer.from([0xa4, 0x01, 0x01, 0x03, 0x27, 0x20, 0x06, 0x21]);
    return { privateKey, cose: Buffer.concat([head, cborBytes(fromBase64url(x))]) };
  }
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
  const head = Buffer.from([0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21]);
  const fields = [cborBytes(fromBase64url(x)), Buffer.from([0x22]), cborBytes(fromBase64url(y))];
  return { privateKey, cose: Buffer.concat([head, ...fields]) };
}

function cborText(text: string): Buffer {
  return Buffer.concat([Buffer.from([0x60 + text.length]), Buffer.from(text)]);
}

function cborBytes(bytes: Buffer): Buffer {
  if (bytes.length < 24) return Buffer.concat([Buffer.from([0x40 + bytes.length]), bytes]);
  const head =
    bytes.length < 256 ? [0x58, bytes.length] : [0x59, bytes.length >> 8, bytes.length & 255];
  return Buffer.concat([Buffer.from(head), bytes]);
}

function fromBase64url(text: string): Buffer {
  return Buffer.from(text, 'base64url');
}

function sha256(data: Buffer): Buffer {
  return createHash('sha256').update(data).digest();
}

/** The browser's response to a page that requests a passkey. */
export function assertionFor({ text }: Pick<Seen, 'text'>, passkey: TestPasskey): string {
  const [, options = ''] = /data-options="([^"]+)"/.exec(text) ?? [];
  return JSON.stringify(passkey.get(JSON.parse(unescape(options)) as PasskeyRequestOptions));
}

// Checks whether a delivery is signed with a secret, in the browser only: nothing is sent anywhere.

/** Prefix of a base64 secret, as in Standard Webhooks. */
const BASE64_PREFIX = 'whsec_';
/** Receivers reject deliveries that are older, or from the future. */
const TOLERANCE_SECONDS = 5 * 60;

export interface Checked {
  /** Whether `webhook-signature` is valid; undefined: it was not entered, or something that it needs was not. */
  readonly standard: boolean | undefined;
  /** `X-Service-Signature`, the same. */
  readonly service: boolean | undefined;
  /** Age in seconds, by the signed time. */
  readonly age: number | undefined;
  /** Whether receivers would reject it because of its time. */
  readonly isOld: boolean;
}

/** Parses headers as they are pasted from a log: one per line, with a colon. Names become lower case. */
export function headersIn(text: string): ReadonlyMap<string, string> {
  const lines = text.split('\n').flatMap((line) => {
    const [, name, value] = /^[\s>-]*([\w-]+)\s*:\s*(.*?)\s*$/.exec(line) ?? [];
    return name === undefined || value === undefined ? [] : [[name.toLowerCase(), value] as const];
  });
  return new Map(lines);
}

export async function checkSignature(
  { secret, headers: text, body }: Readonly<Record<'secret' | 'headers' | 'body', string>>,
  now: number,
): Promise<Checked> {
  const headers = headersIn(text);
  const [id, timestamp] = [headers.get('webhook-id'), headers.get('webhook-timestamp')];
  const [standard, service] = [
    headers.get('webhook-signature'),
    headers.get('x-service-signature'),
  ];
  const seconds = Number(timestamp);
  const age =
    timestamp !== undefined && Number.isInteger(seconds)
      ? Math.floor(now / 1000) - seconds
      : undefined;
  const canCheck = standard !== undefined && id !== undefined && timestamp !== undefined;
  return {
    standard: canCheck
      ? await hasValidSignature(standard, standardKey(secret), `${id}.${timestamp}.${body}`)
      : undefined,
    service:
      service === undefined
        ? undefined
        : await isHmac(encode(secret), body, bytesOfHex(service.toLowerCase())),
    age,
    isOld: age !== undefined && Math.abs(age) > TOLERANCE_SECONDS,
  };
}

/** Whether a signature in the list is valid. During a rotation there is one for each secret. */
async function hasValidSignature(list: string, key: Uint8Array<ArrayBuffer>, text: string) {
  const signatures = list.split(' ').flatMap((entry) => {
    const [version, value = ''] = entry.split(',', 2);
    const bytes = version === 'v1' ? bytesOfBase64(value) : undefined;
    return bytes ? [bytes] : [];
  });
  const found = await Promise.all(signatures.map((signature) => isHmac(key, text, signature)));
  return found.includes(true);
}

async function isHmac(
  secret: Uint8Array<ArrayBuffer>,
  text: string,
  signature: Uint8Array<ArrayBuffer> | undefined,
): Promise<boolean> {
  if (!signature || secret.length === 0) return false;
  const kind = { name: 'HMAC', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey('raw', secret, kind, false, ['verify']);
  return crypto.subtle.verify('HMAC', key, signature, encode(text));
}

/** Decodes the base64 after the prefix, or uses the text itself if it is not base64. */
function standardKey(secret: string): Uint8Array<ArrayBuffer> {
  const key = bytesOfBase64(secret.slice(BASE64_PREFIX.length)) ?? new Uint8Array();
  const isBase64 = key.length > 0 && BASE64_PREFIX + btoa(String.fromCharCode(...key)) === secret;
  return isBase64 ? key : encode(secret);
}

function encode(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text);
}

function bytesOfBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}

function bytesOfHex(text: string): Uint8Array<ArrayBuffer> | undefined {
  if (!/^(?:[0-9a-f]{2})+$/.test(text)) return undefined;
  return Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}

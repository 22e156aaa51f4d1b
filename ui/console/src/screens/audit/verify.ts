import { canonicalJson } from '@keywright/contract/canonical-json';
import type { AuditCheckpoint, AuditEntry } from '@keywright/sdk';

/** A public key of the tenant (RFC 8037). */
export interface Jwk {
  readonly kid?: string;
  readonly kty?: string | undefined;
  readonly crv?: string | undefined;
  readonly x?: string | undefined;
}

/**
 * `changed`: its hash is wrong. `follows`: it does not follow the previous entry. `signed`: a checkpoint contradicts
 * it.
 */
type Problem = 'changed' | 'follows' | 'signed';

interface Broken {
  readonly id: string;
  readonly position: number;
  readonly problem: Problem;
}

export interface Verdict {
  /** Number of entries that have a hash, and whose hash was recomputed. */
  readonly checked: number;
  readonly broken: readonly Broken[];
  /** Position of the last of these entries that a signature of the tenant covers; undefined: none. */
  readonly signedTo: number | undefined;
}

type Sealed = AuditEntry & { readonly position: number; readonly hash: string };

/** Recomputes the hashes of entries, and compares them with each other and with signed heads of the chain. */
export async function verifyEntries(
  entries: readonly AuditEntry[],
  checkpoints: readonly AuditCheckpoint[],
  keys: readonly Jwk[],
): Promise<Verdict> {
  const sealed = entries.filter(isSealed).toSorted((a, b) => a.position - b.position);
  const broken: Broken[] = [];
  for (const [at, entry] of sealed.entries()) {
    const found = await problemOf(entry, sealed[at - 1]);
    if (found) broken.push({ id: entry.id, position: entry.position, problem: found });
  }
  let signedTo: number | undefined;
  for (const { token } of checkpoints) {
    const head = await verifiedHead(token, keys);
    const entry = head && sealed.find(({ position }) => position === head.position);
    if (!entry || head.tenant_id !== entry.tenant_id) continue;
    if (head.hash !== entry.hash) {
      broken.push({ id: entry.id, position: entry.position, problem: 'signed' });
    } else {
      signedTo = Math.max(signedTo ?? 0, head.position);
    }
  }
  return { checked: sealed.length, broken, signedTo };
}

function isSealed(entry: AuditEntry): entry is Sealed {
  return entry.position !== null && entry.hash !== null;
}

async function problemOf(entry: Sealed, before: Sealed | undefined): Promise<Problem | undefined> {
  if ((await hashOf(entry)) !== entry.hash) return 'changed';
  // A filter can omit entries between them.
  const isNext = before?.position === entry.position - 1;
  return isNext && before.hash !== entry.previous_hash ? 'follows' : undefined;
}

/** Returns the SHA-256 of an entry's canonical JSON, without its hash. */
async function hashOf(entry: AuditEntry): Promise<string> {
  const covered = new TextEncoder().encode(canonicalJson({ ...entry, hash: undefined }));
  return base64url(new Uint8Array(await crypto.subtle.digest('SHA-256', covered)));
}

interface Head {
  readonly tenant_id: string;
  readonly position: number;
  readonly hash: string;
}

/** Returns the content of a checkpoint, if a key of the tenant signed it (RFC 7515 §5.2). */
async function verifiedHead(token: string, keys: readonly Jwk[]): Promise<Head | undefined> {
  const [header = '', payload = '', signature = ''] = token.split('.');
  try {
    const { kid, alg, typ } = readJson(header) as Readonly<Record<string, unknown>>;
    const jwk = keys.find((key) => key.kid === kid && key.kty === 'OKP' && key.crv === 'Ed25519');
    if (!jwk?.x || alg !== 'EdDSA' || typ !== 'audit-checkpoint+jwt') return undefined;
    const material = { kty: 'OKP', crv: 'Ed25519', x: jwk.x };
    const key = await crypto.subtle.importKey('jwk', material, 'Ed25519', false, ['verify']);
    const signed = new TextEncoder().encode(`${header}.${payload}`);
    const isGood = await crypto.subtle.verify('Ed25519', key, bytesOf(signature), signed);
    return isGood ? (readJson(payload) as Head) : undefined;
  } catch {
    return undefined;
  }
}

function readJson(part: string): unknown {
  return JSON.parse(new TextDecoder().decode(bytesOf(part)));
}

function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
  return Uint8Array.from(binary, (character) => character.codePointAt(0) ?? 0);
}

function base64url(bytes: Uint8Array): string {
  const text = btoa(String.fromCodePoint(...bytes));
  return text.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}

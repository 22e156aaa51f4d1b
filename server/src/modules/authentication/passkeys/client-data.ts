import type { RelyingParty } from './relying-party.ts';

/** What a browser signed (WebAuthn Level 3 §5.8.1). */
export interface ClientData {
  readonly challenge: string;
  readonly bytes: Buffer;
}

/**
 * @param ceremony `webauthn.get` or `webauthn.create`
 * @returns undefined if it is none, or of another kind, page or app
 */
export function readClientData(
  text: string,
  ceremony: 'webauthn.get' | 'webauthn.create',
  { origins }: Pick<RelyingParty, 'origins'>,
): ClientData | undefined {
  const bytes = Buffer.from(text, 'base64url');
  const data = parseObject(bytes);
  if (!data) return undefined;
  const { type, challenge, origin, crossOrigin, topOrigin, tokenBinding } = data;
  if (type !== ceremony || typeof challenge !== 'string') return undefined;
  if (typeof origin !== 'string' || !origins.includes(origin)) return undefined;
  // A page in a frame of another site: whoever embeds it decides what the user sees.
  if (topOrigin !== undefined || (crossOrigin !== undefined && crossOrigin !== false)) {
    return undefined;
  }
  return isTokenBinding(tokenBinding) ? { challenge, bytes } : undefined;
}

function parseObject(bytes: Buffer): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isObject ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

/** Reserved since WebAuthn Level 3; earlier browsers sent it. */
function isTokenBinding(value: unknown): boolean {
  if (value === undefined || value === null) return true;
  const { status } = value as { readonly status?: unknown };
  return status === 'present' || status === 'supported' || status === 'not-supported';
}

import { compactVerify, type CompactJWSHeaderParameters } from 'jose';
import { ALGORITHM, CLOCK_SKEW_SECONDS, kidOf } from '../verifier/jws-header.ts';
import type { KeySet } from '../verifier/key-set.ts';
import { ProblemError } from '../verifier/problem.ts';

/** The issuer and keys that sign statements about revocations, and the clock. */
export interface Author {
  readonly issuer: string;
  readonly keys: KeySet;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/** A payload signed by the issuer. */
export interface Statement {
  /** The time of the statement, in seconds since the epoch. */
  readonly iat: number;
  readonly payload: Readonly<Record<string, unknown>>;
}

/**
 * A statement of the issuer about revocations: signed with a key of its key set, of the expected kind, and not from the
 * future.
 *
 * @throws ProblemError
 */
export async function readStatement(jws: string, typ: string, author: Author): Promise<Statement> {
  const findKey = async (header: CompactJWSHeaderParameters) => {
    const kid = kidOf(header, typ) ?? invalid('It is not the requested kind of statement.');
    return ((await author.keys.find(kid)) ?? invalid('Its key is not in the key set.')).key;
  };
  const { payload: bytes } = await compactVerify(jws, findKey, { algorithms: [ALGORITHM] }).catch(
    (error: unknown) => {
      if (error instanceof ProblemError) throw error;
      throw new ProblemError('STATUS_INVALID', 'It was not issued by the issuer.', error);
    },
  );
  const payload = parse(bytes);
  if (payload['iss'] !== author.issuer) {
    throw new ProblemError('STATUS_FOREIGN', 'It is from another issuer.');
  }
  const iat = integerIn(payload, 'iat');
  if (iat - CLOCK_SKEW_SECONDS > author.now() / 1000) invalid('It was issued in the future.');
  return { iat, payload };
}

export function invalid(message: string, cause?: unknown): never {
  throw new ProblemError('STATUS_INVALID', message, cause);
}

/** Reads a non-negative integer. @throws ProblemError */
export function integerIn(payload: Readonly<Record<string, unknown>>, name: string): number {
  const value = payload[name];
  return Number.isSafeInteger(value) && Number(value) >= 0
    ? Number(value)
    : invalid(`Its ${name} is not a whole number.`);
}

function parse(bytes: Uint8Array): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode(bytes));
    if (typeof value === 'object' && value !== null) return value as Record<string, unknown>;
  } catch (error) {
    invalid('It is not JSON.', error);
  }
  return invalid('It is not an object.');
}

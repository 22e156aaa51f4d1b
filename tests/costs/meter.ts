import { createRequire } from 'node:module';
import type * as Sodium from 'sodium-native';
import type { Keywright } from '../harness/keywright.ts';
import { watchStatements } from '../harness/statements.ts';

/** The work of one request, in numbers that are equal on every machine. */
export interface Cost {
  /** Names of the statements in order, or the beginning of their text. */
  readonly statements: readonly string[];
  /** The number of times the request waits for the database. */
  readonly roundTrips: number;
  /** Ed25519. */
  readonly signatures: number;
  /** Ed25519. */
  readonly verifications: number;
  /** Argon2id. */
  readonly hashes: number;
}

export interface Meter {
  measure<Answer>(send: () => Promise<Answer>): Promise<Cost & { readonly answer: Answer }>;
  stop(): void;
}

// The same object that the service calls: a CommonJS module is loaded once per process.
const require = createRequire(import.meta.resolve('@keywright/server/platform/crypto/jws'));
const sodium = require('sodium-native') as {
  -readonly [Name in keyof typeof Sodium]: (typeof Sodium)[Name];
};

const SHOWN_CHARACTERS = 60;
/** In the first statement of a connection. */
export const GREETING = 'WITH wrong AS MATERIALIZED';

/** Counts the service's work in this process until it responds. */
export function startMeter(keywright: Keywright): Meter {
  const statements = watchStatements({ untilAnswered: true });
  const { crypto_sign_detached: sign, crypto_sign_verify_detached: verify } = sodium;
  let signatures = 0;
  let verifications = 0;
  sodium.crypto_sign_detached = (...args) => {
    if (statements.isWithinRequest()) signatures += 1;
    return sign(...args);
  };
  sodium.crypto_sign_verify_detached = (...args) => {
    if (statements.isWithinRequest()) verifications += 1;
    return verify(...args);
  };
  const hashes = () => keywright.nodes.reduce((sum, node) => sum + node.passwords.computed, 0);
  const read = () => ({
    sent: statements.sent.length,
    roundTrips: statements.roundTrips,
    signatures,
    verifications,
    hashes: hashes(),
  });
  return {
    async measure(send) {
      const before = read();
      const answer = await send();
      const now = read();
      return {
        answer,
        statements: statements.sent.slice(before.sent).map(shorten),
        roundTrips: now.roundTrips - before.roundTrips,
        signatures: now.signatures - before.signatures,
        verifications: now.verifications - before.verifications,
        hashes: now.hashes - before.hashes,
      };
    },
    stop() {
      statements.stop();
      sodium.crypto_sign_detached = sign;
      sodium.crypto_sign_verify_detached = verify;
    },
  };
}

/** The work of a request, whichever connection it uses: a new connection adds a greeting, which takes a round trip. */
export function workOf({ statements, signatures, verifications, hashes }: Cost): object {
  const counted = statements.filter((statement) => !statement.includes(GREETING));
  return { statements: counted, signatures, verifications, hashes };
}

function shorten(statement: string): string {
  return statement.replaceAll(/\s+/g, ' ').slice(0, SHOWN_CHARACTERS);
}

import { createSecretKey, type KeyObject } from 'node:crypto';

/**
 * A key for HMACs whose bytes OpenSSL wipes when its last reference is gone.
 * @param bytes taken over, and wiped
 */
export function takeSecretKey(bytes: Buffer): KeyObject {
  try {
    return createSecretKey(bytes);
  } finally {
    bytes.fill(0);
  }
}

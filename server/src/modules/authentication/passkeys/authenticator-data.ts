/** WebAuthn Level 3 §6.1: the hash of the domain, the flags, and the counter. */
export const FIXED_BYTES = 37;

/** Bits of the flags, and where they are. */
export const FLAGS = {
  at: 32,
  present: 0x01,
  verified: 0x04,
  backupEligible: 0x08,
  backedUp: 0x10,
  attested: 0x40,
  extensions: 0x80,
} as const;

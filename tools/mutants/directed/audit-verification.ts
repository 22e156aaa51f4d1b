import type { DirectedBreaks } from '../breaks.ts';

const JOURNAL = 'server/src/modules/events/journal';
const CHECKPOINTS = 'cli/src/audit-checkpoints.test.ts';
const FORGERIES = 'cli/src/audit-forgeries.test.ts';
const LOG = `${JOURNAL}/verification.test.ts`;
const MACS = `${JOURNAL}/mac.test.ts`;

export const AUDIT_VERIFICATION: readonly DirectedBreaks[] = [
  {
    in: `${JOURNAL}/verification.ts`,
    by: CHECKPOINTS,
    breaks: [
      [
        ": !signatureIsValid(checkpoint.parsed, key) && 'Its signature is wrong.'",
        ': undefined',
        'believes any signature of a known key',
      ],
      [
        'position === this.#position && hash !== this.#hash',
        'position === this.#position && hash.length < 0',
        'does not compare the hash of a checkpoint',
      ],
      [
        'if (expected !== this.#hash) {',
        'if (expected.length < 0) {',
        'does not compare with a checkpoint that was kept',
      ],
      [
        'checkpoint.tenant_id !== this.#tenantId',
        'checkpoint.tenant_id.length < 0',
        'takes the checkpoint of another tenant',
      ],
      [
        "hashOf(entry).toString('base64url') !== entry.hash",
        'entry.hash === null',
        'does not hash the content',
      ],
      [
        'this.#hash === null || previous === this.#hash',
        'previous !== undefined',
        'does not compare with the entry before',
      ],
      [
        'if (position > this.#position + 1) {',
        'if (position > this.#position + 2) {',
        'does not see that one entry is gone',
      ],
      [
        'if (position > this.#position) {\n      const detail = `A checkpoint vouches',
        'if (position > this.#position + 1) {\n      const detail = `A checkpoint vouches',
        'does not see that the last entry is gone',
      ],
      [
        'if (tenantId !== this.#tenantId) {',
        'if (tenantId === null) {',
        'takes entries of other tenants',
      ],
      [
        'this.#position > this.#signedPosition',
        'this.#position > this.#signedPosition + 1000',
        'does not say where no checkpoint covers the end',
      ],
      [
        'is_intact: this.#findings.total === 0',
        'is_intact: this.#findings.list.length < 2',
        'takes a log with one flaw for intact',
      ],
    ],
  },
  {
    in: `${JOURNAL}/chain.ts`,
    by: FORGERIES,
    breaks: [
      ['parsed?.typ !== CHECKPOINT_TYP', '!parsed', 'takes a token of any kind for a checkpoint'],
    ],
  },
  {
    in: `${JOURNAL}/mac.ts`,
    by: MACS,
    breaks: [
      [
        'return given.length === right.length && timingSafeEqual(given, right);',
        'return given.length === right.length;',
        'takes any MAC',
      ],
      [
        '.update(`entry\\n${tenantId}\\n${text}`)',
        '.update(`entry\\n${tenantId}\\n${text.replace(/"actor_id":"[^"]*"/, \'\')}`)',
        'leaves who did it out of the MAC',
      ],
      [
        'if (mac === undefined) return false;',
        'if (mac === undefined) return true;',
        'takes an entry without a MAC for authentic',
      ],
    ],
  },
  {
    in: `${JOURNAL}/sealer.ts`,
    by: FORGERIES,
    breaks: [
      [
        'if (!(key && isAuthentic(key, entry))) {',
        'if (!key) {',
        'seals what the service did not write',
      ],
    ],
  },
  {
    in: `${JOURNAL}/verification.ts`,
    by: LOG,
    breaks: [
      [
        'position === 1 ? entry.previous_hash === null : this.#follows(entry)',
        'position === 1 || this.#follows(entry)',
        'lets the first entry follow from another one',
      ],
      [
        'if (position <= this.#position) {',
        'if (position < this.#position) {',
        'lets two entries have one place',
      ],
    ],
  },
  {
    in: `${JOURNAL}/chain.ts`,
    by: LOG,
    breaks: [
      [
        'const covered = { ...entry, hash: undefined };',
        'const covered = { ...entry, hash: undefined, details: undefined };',
        'leaves the details out of the hash',
      ],
    ],
  },
];

import { breaksIn, type DirectedBreaks } from '../breaks.ts';

const JOURNAL = 'server/src/modules/events/journal';
const CHECKPOINTS = 'cli/src/audit-checkpoints.test.ts';
const FORGERIES = 'cli/src/audit-forgeries.test.ts';
const LOG = `${JOURNAL}/verification.test.ts`;
const MACS = `${JOURNAL}/mac.test.ts`;

export const AUDIT_VERIFICATION: readonly DirectedBreaks[] = [
  breaksIn(`${JOURNAL}/verification.ts`, CHECKPOINTS, [
    [
      ": !signatureIsValid(checkpoint.parsed, key) && 'Its signature is wrong.'",
      ': undefined',
      'accepts any signature of a known key',
    ],
    [
      'position === this.#position && hash !== this.#hash',
      'position === this.#position && hash.length < 0',
      'does not compare the hash of a checkpoint',
    ],
    [
      'if (expected !== this.#hash) {',
      'if (expected.length < 0) {',
      'does not compare with a stored checkpoint',
    ],
    [
      'checkpoint.tenant_id !== this.#tenantId',
      'checkpoint.tenant_id.length < 0',
      'accepts the checkpoint of another tenant',
    ],
    [
      "hashOf(entry).toString('base64url') !== entry.hash",
      'entry.hash === null',
      'does not hash the content',
    ],
    [
      'this.#hash === null || previous === this.#hash',
      'previous !== undefined',
      'does not compare with the previous entry',
    ],
    [
      'if (position > this.#position + 1) {',
      'if (position > this.#position + 2) {',
      'does not notice a missing entry',
    ],
    [
      'if (position > this.#position) {\n      const detail = `A checkpoint vouches',
      'if (position > this.#position + 1) {\n      const detail = `A checkpoint vouches',
      'does not notice a missing last entry',
    ],
    [
      'if (tenantId !== this.#tenantId) {',
      'if (tenantId === null) {',
      'accepts entries of other tenants',
    ],
    [
      'this.#position > this.#signedPosition',
      'this.#position > this.#signedPosition + 1000',
      'does not report an end without a checkpoint',
    ],
    [
      'is_intact: this.#findings.total === 0',
      'is_intact: this.#findings.list.length < 2',
      'accepts a log with one problem',
    ],
  ]),
  breaksIn(`${JOURNAL}/chain.ts`, FORGERIES, [
    ['parsed?.typ !== CHECKPOINT_TYP', '!parsed', 'accepts any type of token as a checkpoint'],
  ]),
  breaksIn(`${JOURNAL}/mac.ts`, MACS, [
    [
      'return given.length === right.length && timingSafeEqual(given, right);',
      'return given.length === right.length;',
      'accepts any MAC',
    ],
    [
      '.update(`entry\\n${tenantId}\\n${text}`)',
      '.update(`entry\\n${tenantId}\\n${text.replace(/"actor_id":"[^"]*"/, \'\')}`)',
      'leaves the actor out of the MAC',
    ],
    [
      'if (mac === undefined) return false;',
      'if (mac === undefined) return true;',
      'accepts an entry without a MAC',
    ],
  ]),
  breaksIn(`${JOURNAL}/sealer.ts`, FORGERIES, [
    [
      'if (!(key && isAuthentic(key, entry))) {',
      'if (!key) {',
      'seals what the service did not write',
    ],
  ]),
  breaksIn(`${JOURNAL}/verification.ts`, LOG, [
    [
      'position === 1 ? entry.previous_hash === null : this.#follows(entry)',
      'position === 1 || this.#follows(entry)',
      'lets the first entry have a predecessor',
    ],
    [
      'if (position <= this.#position) {',
      'if (position < this.#position) {',
      'accepts two entries with the same number',
    ],
  ]),
  breaksIn(`${JOURNAL}/chain.ts`, LOG, [
    [
      'const covered = { ...entry, hash: undefined };',
      'const covered = { ...entry, hash: undefined, details: undefined };',
      'leaves the details out of the hash',
    ],
  ]),
];

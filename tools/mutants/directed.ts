import { type Break, lineAt } from './breaks.ts';
import type { Tree } from './areas.ts';

/** A break that somebody has thought of: what an attacker would wish for. */
interface Directed {
  readonly area: string;
  readonly file: string;
  /** Stands in the file once. */
  readonly text: string;
  readonly replacement: string;
  readonly what: string;
}

const JOURNAL = 'server/src/modules/journal';
const GRANTS = 'server/src/modules/grants';
const LIVE_GRANTS = 'server/migrations/0018_lighter_lookups.sql';

const DIRECTED: readonly Directed[] = [
  {
    area: 'audit-verification',
    file: `${JOURNAL}/verification.ts`,
    text: ": !signatureIsValid(checkpoint.parsed, key) && 'Its signature is wrong.'",
    replacement: ': undefined',
    what: 'believes any signature of a known key',
  },
  {
    area: 'audit-verification',
    file: `${JOURNAL}/verification.ts`,
    text: 'position === this.#position && hash !== this.#hash',
    replacement: 'position === this.#position && hash.length < 0',
    what: 'does not compare the hash of a checkpoint',
  },
  {
    area: 'audit-verification',
    file: `${JOURNAL}/chain.ts`,
    text: 'parsed?.typ !== CHECKPOINT_TYP',
    replacement: '!parsed',
    what: 'takes a token of any kind for a checkpoint',
  },
  {
    area: 'audit-verification',
    file: `${JOURNAL}/verification.ts`,
    text: 'if (expected !== this.#hash) {',
    replacement: 'if (expected.length < 0) {',
    what: 'does not compare with a checkpoint that was kept',
  },
  {
    area: 'audit-verification',
    file: `${JOURNAL}/verification.ts`,
    text: 'checkpoint.tenant_id !== this.#tenantId',
    replacement: 'checkpoint.tenant_id.length < 0',
    what: 'takes the checkpoint of another tenant',
  },
  {
    area: 'audit-verification',
    file: `${JOURNAL}/verification.ts`,
    text: "hashOf(entry).toString('base64url') !== entry.hash",
    replacement: 'entry.hash === null',
    what: 'does not hash the content',
  },
  {
    area: 'audit-verification',
    file: `${JOURNAL}/verification.ts`,
    text: 'position <= macs.olderUpTo) return true',
    replacement: 'position > 0) return true',
    what: 'takes every entry without a MAC for an old one',
  },
  {
    area: 'audit-verification',
    file: `${JOURNAL}/mac.ts`,
    text: 'return given.length === right.length && timingSafeEqual(given, right);',
    replacement: 'return given.length === right.length;',
    what: 'takes any MAC',
  },
  {
    area: 'audit-verification',
    file: `${JOURNAL}/mac.ts`,
    text: '.update(`entry\\n${tenantId}\\n${text}`)',
    replacement: '.update(`entry\\n${tenantId}\\n${text.replace(/"actor_id":"[^"]*"/, \'\')}`)',
    what: 'leaves who did it out of the MAC',
  },
  {
    area: 'audit-verification',
    file: `${JOURNAL}/mac.ts`,
    text: 'timingSafeEqual(kept.mac, right) ? kept.position : 0',
    replacement: 'right.length > 0 ? kept.position : 0',
    what: 'believes how many entries are older than MACs',
  },
  {
    area: 'audit-verification',
    file: `${JOURNAL}/sealer.ts`,
    text: 'if (!isOlder && !(key && isAuthentic(key, entry))) {',
    replacement: 'if (!isOlder && !key) {',
    what: 'seals what the service did not write',
  },
  {
    area: 'grants',
    file: `${GRANTS}/store.ts`,
    text: "row?.alive[index] === '1'",
    replacement: "row?.alive[index] !== '2'",
    what: 'takes every grant for alive',
  },
  {
    area: 'grants',
    file: `${GRANTS}/store.ts`,
    text: 'return `${id} ${tenantId} ${version}`;',
    replacement: 'return `${id} ${tenantId}`;',
    what: 'asks for two versions of a grant once',
  },
  ...sqlBreaks('grants', LIVE_GRANTS, [
    [
      'AND is_active AND deleted_at IS NULL LIMIT 1\n      ) AS t ON true\n      LEFT JOIN LATERAL (\n        SELECT is_active,',
      'AND deleted_at IS NULL LIMIT 1\n      ) AS t ON true\n      LEFT JOIN LATERAL (\n        SELECT is_active,',
      'lets grants of inactive tenants live, in a batch of several',
    ],
    [
      "WHEN s.is_active AND s.access_version = asked.version THEN '1'\n             WHEN starts_with(asked.id, 'session:') THEN '0'\n             ELSE 'o' END, '' ORDER BY asked.n)\n      INTO v_answer\n      FROM unnest(p_tenants",
      "WHEN s.access_version = asked.version THEN '1'\n             WHEN starts_with(asked.id, 'session:') THEN '0'\n             ELSE 'o' END, '' ORDER BY asked.n)\n      INTO v_answer\n      FROM unnest(p_tenants",
      'lets ended sessions live, in a batch of several tenants',
    ],
    [
      "WHEN s.is_active AND s.access_version = asked.version THEN '1'\n             WHEN starts_with(asked.id, 'session:') THEN '0'\n             ELSE 'o' END, '' ORDER BY asked.n)\n      INTO v_answer\n      FROM unnest(p_tenants",
      "WHEN s.is_active THEN '1'\n             WHEN starts_with(asked.id, 'session:') THEN '0'\n             ELSE 'o' END, '' ORDER BY asked.n)\n      INTO v_answer\n      FROM unnest(p_tenants",
      'lets outdated tokens live, in a batch of several tenants',
    ],
    [
      'k.revoked_at IS NULL AND k.expires_at > p_now\n           AND a.is_active AND (p_versions',
      'k.expires_at > p_now\n           AND a.is_active AND (p_versions',
      'lets revoked keys live',
    ],
    [
      'k.revoked_at IS NULL AND k.expires_at > p_now\n           AND a.is_active AND (p_versions',
      'k.revoked_at IS NULL\n           AND a.is_active AND (p_versions',
      'lets expired keys live',
    ],
    [
      '\n           AND a.is_active AND (p_versions',
      '\n           AND (p_versions',
      'lets keys of inactive agents live',
    ],
    [
      'd.revoked_at IS NULL AND d.expires_at > p_now AND d.access_version = p_versions[i]',
      'd.expires_at > p_now AND d.access_version = p_versions[i]',
      'lets revoked delegations live',
    ],
    [
      'AND a.is_active AND u.is_active INTO v_alive',
      'AND a.is_active INTO v_alive',
      'lets delegations of inactive users live',
    ],
    [
      'SELECT a.is_active AND a.access_version = p_versions[i] INTO v_alive',
      'SELECT a.is_active INTO v_alive',
      'lets outdated tokens of agents live',
    ],
  ]),
  ...sqlBreaks('database-functions', LIVE_GRANTS, [
    [
      'WHERE api_keys.tenant_id = entered.tenant_id AND secret_hash = asked.hash\n           AND revoked_at IS NULL AND expires_at > p_now AND agent_is_active LIMIT 1',
      'WHERE api_keys.tenant_id = entered.tenant_id AND secret_hash = asked.hash\n           AND expires_at > p_now AND agent_is_active LIMIT 1',
      'finds revoked keys, in a batch of several tenants',
    ],
    [
      'WHERE api_keys.tenant_id = v_tenant AND secret_hash = asked.hash\n           AND revoked_at IS NULL AND expires_at > p_now AND agent_is_active LIMIT 1',
      'WHERE api_keys.tenant_id = v_tenant AND secret_hash = asked.hash\n           AND revoked_at IS NULL AND agent_is_active LIMIT 1',
      'finds expired keys of one tenant',
    ],
  ]),
  ...sqlBreaks('database-functions', 'server/migrations/0011_shared_statements.sql', [
    ['\n        AND v_tenant = ANY (v_active);', ';', 'refreshes sessions of inactive tenants'],
    [
      'AND s.id = v_asked.id AND s.is_active\n',
      'AND s.id = v_asked.id\n',
      'refreshes sessions that ended',
    ],
    [
      'AND s.refresh_hash = v_asked.presented AND s.expires_at',
      'AND s.expires_at',
      'takes any refresh token of a session',
    ],
  ]),
  ...sqlBreaks('database-functions', 'server/migrations/0033_audit_macs.sql', [
    [
      'AND u.is_active AND c.secret_hash = p_secret_hashes[i]',
      'AND u.is_active',
      'opens a session after the password was changed',
    ],
    [
      'AND u.is_active AND c.secret_hash = p_secret_hashes[i]',
      'AND c.secret_hash = p_secret_hashes[i]',
      'opens a session for an inactive user',
    ],
    [
      '\n       AND v_tenant = ANY (v_active)\n       FOR SHARE OF u, c',
      '\n       FOR SHARE OF u, c',
      'opens a session in an inactive tenant',
    ],
    [
      "      v_outcomes[i] := 'elsewhere';",
      '      NULL;',
      'records another workspace than it opens',
    ],
  ]),
  ...sqlBreaks('database-functions', 'server/migrations/0002_hot_paths.sql', [
    [
      'WHERE t.tenant_id = p_id AND t.deleted_at IS NULL',
      'WHERE t.tenant_id = p_id',
      'finds deleted tenants by their id',
    ],
  ]),
];

function sqlBreaks(
  area: string,
  file: string,
  rows: readonly (readonly [text: string, replacement: string, what: string])[],
): Directed[] {
  return rows.map(([text, replacement, what]) => ({ area, file, text, replacement, what }));
}

/** The directed breaks of an area. @throws when one fits nowhere any more */
export function directedBreaksOf(area: string, tree: Tree): Break[] {
  return DIRECTED.filter((one) => one.area === area).map(({ file, text, replacement, what }) => {
    const whole = tree.read(file);
    const start = whole.indexOf(text);
    if (start < 0 || whole.includes(text, start + 1)) {
      throw new Error(`${file} does not hold exactly once: ${text}`);
    }
    return { file, line: lineAt(whole, start), what, start, end: start + text.length, replacement };
  });
}

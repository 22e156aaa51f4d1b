import type { DirectedBreaks } from '../breaks.ts';

const FAMILIES = 'tests/races/child-sessions.test.ts';
const END_STORE = 'server/src/modules/tokens/sessions/end-store.ts';
const FUNCTIONS = 'tests/isolation/database-functions.test.ts';
const MIXED = 'tests/isolation/mixed-batches.test.ts';
const RACES = 'tests/races/login.test.ts';
const THROTTLE = 'server/src/modules/authentication/login/throttle.test.ts';

export const SESSION_FUNCTIONS: readonly DirectedBreaks[] = [
  {
    in: 'kw_rotate_sessions',
    by: MIXED,
    breaks: [
      [
        'AND p.is_active AND p.expires_at > p_issued_at[i]',
        'AND p.expires_at > p_issued_at[i]',
        'refreshes a session whose parent has ended',
      ],
      [
        'AND p.is_active AND p.expires_at > p_issued_at[i]',
        'AND p.is_active',
        'refreshes a session whose parent has expired',
      ],
      ['asked.rotated IS NULL OR ', '', 'repeats the tokens of a session whose parent is over'],
    ],
  },
  {
    in: 'kw_open_sessions',
    by: RACES,
    breaks: [
      [
        'AND u.is_active AND u.auth_version = p_auth_versions[i]',
        'AND u.is_active',
        'opens a session after the password was changed',
      ],
      [
        '\n       FOR SHARE;\n    IF FOUND THEN',
        ';\n    IF FOUND THEN',
        'opens a session for a user who is being changed',
      ],
    ],
  },
  {
    in: 'kw_open_sessions',
    by: FAMILIES,
    breaks: [
      [
        '\n       FOR SHARE;\n    IF NOT FOUND THEN',
        ';\n    IF NOT FOUND THEN',
        'opens a session whose parent is ending',
      ],
      [
        'FOR SHARE;\n    IF NOT FOUND THEN',
        'FOR KEY SHARE;\n    IF NOT FOUND THEN',
        'opens a session whose parent is ending, with too weak a lock',
      ],
      ["AND p.kind = 'browser' ", '', 'opens a session from any other'],
      ['AND p.user_id = p_users[v_child.n] ', '', 'opens a session from one of somebody else'],
    ],
  },
  {
    in: END_STORE,
    by: FAMILIES,
    breaks: [
      [
        'if (parents.length === 0) return ended;',
        'return ended;',
        'leaves a session behind that is opened while all end',
      ],
      [
        "row.kind === 'browser' ? ",
        "row.kind === 'client' ? ",
        'leaves the sessions that were opened from one that ends',
      ],
      [
        "    .where('id', '=', id)\n    .where('is_active'",
        "    .where((eb) => eb.or([eb('id', '=', id), eb('parent_id', '=', id)]))\n    .where('is_active'",
        'ends those first that were opened from it, in the same snapshot',
      ],
    ],
  },
  {
    in: 'kw_open_sessions',
    by: FUNCTIONS,
    breaks: [
      [
        'AND u.is_active AND u.auth_version = p_auth_versions[i]',
        'AND u.auth_version = p_auth_versions[i]',
        'opens a session for an inactive user',
      ],
      [
        '\n       AND v_tenant = ANY (v_active)\n       FOR SHARE',
        '\n       FOR SHARE',
        'opens a session in an inactive tenant',
      ],
      [
        "      v_outcomes[i] := 'elsewhere';",
        '      NULL;',
        'records another workspace than it opens',
      ],
    ],
  },
  {
    in: 'kw_open_sessions',
    by: THROTTLE,
    breaks: [
      [
        'UPDATE login_attempts a SET attempts = a.attempts - 1',
        'UPDATE login_attempts a SET attempts = a.attempts',
        'counts logins that succeeded',
      ],
    ],
  },
];

import type { DirectedBreaks } from '../breaks.ts';

const STATUS = 'server/src/modules/tokens/status-lists/revocations.test.ts';
const FUNCTIONS = 'tests/isolation/database-functions.test.ts';

/** Functions of the database that tell verifiers what ended. */
export const STATUS_FUNCTIONS: readonly DirectedBreaks[] = [
  {
    in: 'kw_name_bit',
    by: STATUS,
    breaks: [
      [
        'AND s.id = p_grant AND s.is_active AND s.access_version = p_version',
        'AND s.id = p_grant',
        'names a bit for a session that ended',
      ],
    ],
  },
  {
    in: 'kw_revoke_grants',
    by: STATUS,
    breaks: [
      [
        'AND d.grant_id = ANY (p_grants) AND d.list_tenant_id = p_tenant\n',
        'AND false\n',
        'forgets the tokens that hang on a grant together with others',
      ],
    ],
  },
  {
    in: 'kw_revoke_agent',
    by: STATUS,
    breaks: [
      [
        'v_grants, v_indexes || OLD.status_idx',
        'v_grants, ARRAY[OLD.status_idx]',
        'forgets the keys of an agent that ended',
      ],
      [
        'v_grants, v_indexes || OLD.status_idx',
        'v_grants, v_indexes',
        'forgets the tokens of the agent itself',
      ],
    ],
  },
  {
    in: 'kw_revoke_user',
    by: STATUS,
    breaks: [
      [
        'AND d.user_id = OLD.id AND d.revoked_at IS NULL',
        'AND d.user_id = OLD.id AND d.revoked_at IS NOT NULL',
        'forgets the delegations of a user who was switched off',
      ],
    ],
  },
  {
    in: 'kw_status_list',
    by: FUNCTIONS,
    breaks: [
      ['AND r.idx < p_end', '', 'tells bits of the next list'],
      ['AND r.idx >= p_first', '', 'tells bits of the list before'],
    ],
  },
];

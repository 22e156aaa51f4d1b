import { breaksIn, type DirectedBreaks } from '../breaks.ts';

const STATUS = 'server/src/modules/tokens/status-lists/revocations.test.ts';
const FUNCTIONS = 'tests/isolation/database-functions.test.ts';

/** Functions of the database that tell verifiers what ended. */
export const STATUS_FUNCTIONS: readonly DirectedBreaks[] = [
  breaksIn('kw_name_bit', STATUS, [
    [
      'AND s.id = p_grant AND s.is_active AND s.access_version = p_version',
      'AND s.id = p_grant',
      'returns a bit for an ended session',
    ],
  ]),
  breaksIn('kw_revoke_grants', STATUS, [
    [
      'AND d.grant_id = ANY (p_grants) AND d.list_tenant_id = p_tenant\n',
      'AND false\n',
      'omits tokens that depend on several grants',
    ],
  ]),
  breaksIn('kw_revoke_agent', STATUS, [
    [
      'v_grants, v_indexes || OLD.status_idx',
      'v_grants, ARRAY[OLD.status_idx]',
      'omits the keys of an ended agent',
    ],
    [
      'v_grants, v_indexes || OLD.status_idx',
      'v_grants, v_indexes',
      'omits the tokens of the agent itself',
    ],
  ]),
  breaksIn('kw_revoke_user', STATUS, [
    [
      'AND d.user_id = OLD.id AND d.revoked_at IS NULL',
      'AND d.user_id = OLD.id AND d.revoked_at IS NOT NULL',
      'omits the delegations of a disabled user',
    ],
  ]),
  breaksIn('kw_status_list', FUNCTIONS, [
    ['AND r.idx < p_end', '', 'returns bits of the next list'],
    ['AND r.idx >= p_first', '', 'returns bits of the previous list'],
  ]),
];

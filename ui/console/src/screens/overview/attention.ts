import type { SigningKey, Webhook } from '@keywright/sdk';
import { hasTokens } from '../keys/course.ts';
import type { Search } from '../../url/search.ts';

/** Maximum number of webhooks that are checked. */
export const WEBHOOKS = 100;

const DAY_MS = 86_400_000;
/** A month before a year, the minimum that NIST SP 800-57 part 1 §5.3.6 recommends for a private signing key. */
const OLD_KEY_MS = 335 * DAY_MS;

/** Something that needs attention, and where. */
export interface Line {
  readonly kind: 'keyEnds' | 'keyOld' | 'hookDisabled' | 'hookFails' | 'administrator' | 'message';
  readonly count: number;
  readonly to: string;
  readonly search?: Search;
}

/** The data for the lines; undefined: the caller cannot read it. */
interface LineData {
  readonly keys: readonly SigningKey[] | undefined;
  readonly webhooks: readonly Webhook[] | undefined;
  /** Number of administrators who can log in but never have. */
  readonly administrators: number | undefined;
  /** How many messages failed. */
  readonly messages: number | undefined;
  /** The role of administrators. */
  readonly role: string;
  readonly now: number;
}

/** Returns what needs attention; empty if there is nothing to do. */
export function linesOf({ keys, webhooks, administrators, messages, role, now }: LineData): Line[] {
  return [...linesOfKeys(keys ?? [], now), ...linesOfWebhooks(webhooks ?? [])].concat(
    counted('administrator', administrators, '/users', {
      role,
      has_logged_in: 'false',
      is_active: 'true',
    }),
    counted('message', messages, '/messages', { tab: 'log', status: 'failed' }),
  );
}

function linesOfKeys(keys: readonly SigningKey[], now: number): Line[] {
  const ending = keys.filter((key) => key.state === 'previous' && hasTokens(key, now));
  const old = keys.filter(
    ({ state, signs_from: from, tokens_until: until }) =>
      state === 'current' && until === null && now - Date.parse(from) > OLD_KEY_MS,
  );
  return [...counted('keyEnds', ending.length, '/keys'), ...counted('keyOld', old.length, '/keys')];
}

function linesOfWebhooks(webhooks: readonly Webhook[]): Line[] {
  const disabled = webhooks.filter(({ disabled_reason: reason }) => reason !== null);
  const failing = webhooks.filter(
    ({ is_active: isActive, disabled_reason: reason, failing_since: since }) =>
      isActive && reason === null && since !== null,
  );
  return [
    ...counted('hookDisabled', disabled.length, placeOf(disabled)),
    ...counted('hookFails', failing.length, placeOf(failing), failing.length === 1 ? FAILED : {}),
  ];
}

const FAILED: Search = { status: 'failed' };

/** A single one itself. */
function placeOf(webhooks: readonly Webhook[]): string {
  const [webhook] = webhooks;
  return webhook && webhooks.length === 1 ? `/webhooks/${webhook.id}` : '/webhooks';
}

function counted(
  kind: Line['kind'],
  count: number | undefined,
  to: string,
  search: Search = {},
): Line[] {
  return count === undefined || count === 0 ? [] : [{ kind, count, to, search }];
}

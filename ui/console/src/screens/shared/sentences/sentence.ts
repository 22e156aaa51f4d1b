// Chooses the sentence about an entry of the audit log or an event, and the names in it.

import type { EventRecord } from '@keywright/contract/events';
import type { AuditEntry } from '@keywright/sdk';
import type { SentenceKey } from '../../../texts/sentences.ts';
import { partsOfDevice } from '../device.ts';
import { refusalOf } from './refusal.ts';
import { workOf } from './system-work.ts';

/** A record, a text, a word or a country that a sentence names. */
export type Named =
  /** A record; `usual` is its name if it is gone. */
  | { readonly id: string; readonly usual?: string | undefined }
  | { readonly text: string }
  | { readonly noun: SentenceKey }
  /** A country (ISO 3166-1). */
  | { readonly region: string };

/** A text after a sentence. */
export type Detail =
  | { readonly text: string }
  | { readonly words: SentenceKey }
  /** The user whom an agent or an application acted for. */
  | { readonly for: Named }
  | { readonly list: SentenceKey; readonly names: readonly string[] }
  /** The changed fields of a record of this kind. */
  | { readonly fields: readonly string[]; readonly of: string }
  | { readonly times: number }
  /** A browser and its system, or one of them. */
  | { readonly device: readonly string[] };

export interface Sentence {
  readonly key: SentenceKey;
  readonly places: Readonly<Record<string, Named>>;
  /** Whose face is shown. */
  readonly face: Named;
  readonly details: readonly Detail[];
}

type Data = Readonly<Record<string, unknown>>;

const textIn = (data: Data, name: string): string | undefined => {
  const value = data[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
};
const namesIn = (data: Data, name: string): readonly string[] => {
  const value = data[name];
  return Array.isArray(value) ? value.map(String) : [];
};

const VISITOR: Named = { noun: 'noun.anonymous' };
const UNKNOWN: Named = { noun: 'noun.none' };

/** The host of a client whose ID is the URL of its metadata. */
const named = (id: string, usual?: string): Named =>
  id.startsWith('https://') ? { text: new URL(id).host } : { id, usual };

/** The records that the data names by ID, under the placeholders of the sentences. */
function placesIn(data: Data): Record<string, Named> {
  const ids = {
    user: 'user_id',
    app: 'client_id',
    agent: 'agent_id',
    provider: 'provider_id',
    workspace: 'workspace_id',
    webhook: 'webhook_id',
    invitation: 'invitation_id',
    key: 'key_id',
  };
  const found = Object.entries(ids).flatMap(([place, field]) => {
    const id = textIn(data, field);
    return id === undefined ? [] : [[place, named(id)] as const];
  });
  const country = textIn(data, 'country');
  const texts = ['domain', 'identifier', 'to', 'role', 'name'].map((name) => textIn(data, name));
  const text = texts.find((candidate) => candidate !== undefined);
  return {
    ...Object.fromEntries(found),
    factor: { noun: factorOf(textIn(data, 'type')) },
    name: country ? { region: country } : text === undefined ? UNKNOWN : { text },
  };
}

function factorOf(type: string | undefined): SentenceKey {
  const known = type === 'passkey' || type === 'totp' || type === 'recovery_codes';
  return known ? `factor.${type}` : 'factor.other';
}

/** Returns the sentence about an entry of the audit log. */
export function sentenceOfEntry(entry: AuditEntry): Sentence {
  const { actor, target, details } = entry;
  const of = placesIn(details);
  const work = entry.action === 'system.work' && workOf(textIn(details, 'reason') ?? '');
  const places = {
    ...of,
    ...(work && work.name !== undefined && { name: { text: work.name } }),
    actor: actorOf(entry),
    target: targetOf(entry),
    ...(actor.on_behalf_of !== null && { for: named(actor.on_behalf_of) }),
  };
  const who = actor.kind === 'anonymous' ? (of['user'] ?? personIn(target)) : undefined;
  return { key: keyOf(entry), places, face: who ?? places.actor, details: detailsOf(entry) };
}

/** The person that an entry is about, if its request had no credential. */
function personIn({ kind, id }: AuditEntry['target']): Named | undefined {
  return (kind === 'user' || kind === 'invitation') && id !== null ? named(id) : undefined;
}

function actorOf({ actor, target }: AuditEntry): Named {
  if (actor.kind === 'impersonator') return { noun: 'noun.impersonator' };
  if (actor.kind === 'system') return { noun: 'noun.system' };
  if (actor.id === null) return personIn(target) ?? VISITOR;
  return named(actor.id);
}

function targetOf({ target: { kind, id }, details }: AuditEntry): Named {
  if (id === null) return UNKNOWN;
  if (kind === 'role') return { text: id };
  if (kind === 'tenant') return named(id, id);
  const url = textIn(details, 'url');
  return named(id, textIn(details, 'name') ?? (url && URL.parse(url)?.host));
}

/** Actions with a sentence for users who act on themselves. */
const OF_ONESELF: ReadonlySet<string> = new Set([
  'user.created',
  'user.updated',
  'user.deleted',
  'identity.unlinked',
]);

type Choose = (entry: AuditEntry) => SentenceKey;

/** Actions with several sentences. */
const CHOICES: Readonly<Partial<Record<AuditEntry['action'], Choose>>> = {
  'auth.login_failed': ({ target, details }) => {
    if (target.kind === 'user') return 'auth.login_failed';
    const isTyped = textIn(details, 'identifier') !== undefined;
    return isTyped ? 'auth.login_failed.unknown' : 'auth.login_failed.unnamed';
  },
  'auth.token_exchanged': ({ target }) =>
    target.kind === 'agent' ? 'auth.token_exchanged.agent' : 'auth.token_exchanged',
  'auth.token_refused': ({ target }) =>
    target.id === null ? 'auth.token_refused.unnamed' : 'auth.token_refused',
  'system.work': ({ details }) => workOf(textIn(details, 'reason') ?? '').key,
  'session.revoked': (entry) => {
    const { actor, target, details } = entry;
    if (target.kind === 'tenant') return 'session.revoked.tenant';
    if (target.kind === 'user') {
      return isOwn(entry) ? 'session.revoked.everywhere' : 'session.revoked.user';
    }
    const isTheirs = textIn(details, 'user_id') === actor.id;
    return isTheirs ? 'session.revoked.self' : 'session.revoked';
  },
  'factor.removed': ({ actor, details }) =>
    textIn(details, 'user_id') === actor.id ? 'factor.removed.self' : 'factor.removed',
};

const isOwn = ({ actor, target }: AuditEntry) => actor.id === null || actor.id === target.id;

function keyOf(entry: AuditEntry): SentenceKey {
  const { action, target } = entry;
  const choose = CHOICES[action];
  if (choose) return choose(entry);
  const isOfOneself = target.kind === 'user' && isOwn(entry) && OF_ONESELF.has(action);
  if (isOfOneself) return `${action}.self` as SentenceKey;
  return action;
}

/** Actions whose reason is what a person wrote. */
const WITH_REASON: ReadonlySet<string> = new Set([
  'user.disabled',
  'auth.impersonated',
  'system.work',
]);

function detailsOf(entry: AuditEntry): readonly Detail[] {
  const { action, actor, details, count, address, target } = entry;
  const stated = textIn(details, 'reason');
  const reason = action === 'system.work' ? workOf(stated ?? '').why : stated;
  const isLogin = action === 'auth.login' || action === 'auth.login_failed';
  const found: Detail[] = [];
  // The sentence about a redeemed code is about the user.
  if (actor.on_behalf_of !== null && action !== 'auth.code_redeemed') {
    found.push({ for: named(actor.on_behalf_of) });
  }
  if (action === 'auth.login_failed' && reason) found.push({ words: refusalOf(reason) });
  else if (reason && WITH_REASON.has(action)) found.push({ text: reason });
  for (const list of ['roles_added', 'roles_removed'] as const) {
    const names = namesIn(details, list);
    if (names.length > 0) found.push({ list: `detail.${list}`, names });
  }
  // The roles themselves say more than the name of the field.
  found.push(
    ...fieldsOf(
      action,
      namesIn(details, 'fields').filter((name) => name !== 'roles'),
    ),
  );
  if (count > 1) found.push({ times: count });
  const device = isLogin && deviceIn(details);
  if (device) found.push({ device });
  if (isLogin && address !== null && target.kind !== 'tenant') found.push({ text: address });
  return found;
}

function fieldsOf(action: string, fields: readonly string[]): readonly Detail[] {
  return fields.length > 0 ? [{ fields, of: action.split('.', 1)[0] ?? '' }] : [];
}

/** The browser and the system of a login, as far as they are known; undefined if neither is. */
export function deviceIn(details: Data): readonly string[] | undefined {
  const agent = textIn(details, 'user_agent');
  const names = [textIn(details, 'browser'), textIn(details, 'system')];
  const parts = agent === undefined ? names : partsOfDevice(agent);
  const known = parts.filter((name) => name !== undefined);
  if (known.length > 0) return known;
  // A client that is not a browser, such as `curl/8.5`
  return agent?.split(' ', 1);
}

/** Returns the sentence about an event. */
export function sentenceOfEvent({ type, data }: EventRecord): Sentence {
  const places = placesIn(data);
  const face = places['user'] ?? places['agent'] ?? places['app'] ?? places['invitation'];
  return {
    key: `event.${type}`,
    places,
    face: face ?? { noun: 'noun.system' },
    details: fieldsOf(type, namesIn(data, 'fields')),
  };
}

/** The IDs of the records that a sentence names. */
export function idsIn({ places, face }: Sentence): readonly string[] {
  return [...Object.values(places), face].flatMap((place) => ('id' in place ? [place.id] : []));
}

import type { Fail } from '@keywright/contract/errors';
import type { TenantId } from '@keywright/contract/ids';
import {
  MAX_LOGO_BYTES,
  LOGO_KINDS,
  type LogoKind,
  type LogoRecord,
} from '@keywright/contract/records/logo';
import type { Clock } from '../../../platform/clock.ts';
import type { Egress } from '../../../platform/egress/egress.ts';
import { EGRESS_REASONS } from '../../../platform/egress/reasons.ts';
import { Image } from '../../../platform/http/replies.ts';
import type { Caller } from '../../../tenancy/caller.ts';
import type { Changes } from '../../../tenancy/changes.ts';
import type { Gate, TenantData, TenantTx } from '../../../tenancy/gate.ts';
import type { SystemData } from '../../../tenancy/system.ts';
import { TenantCache } from '../../../tenancy/tenant-cache.ts';
import { record } from '../../events/journal/index.ts';
import {
  type Fetched,
  type FetchedRow,
  findLogos,
  findWaiting,
  isFetched,
  type LogoRow,
  storeLogo,
  deleteUpload,
  dropAddress,
  putUpload,
  type Upload,
  findImage,
} from './brand-store.ts';
import { checkImage, digestOf } from './logo-image.ts';

const TIMEOUT_MS = 5000;
/** After the last one the administrator has to ask again. */
const MAX_ATTEMPTS = 5;
/** One that was just set is being fetched by the node that set it. */
const LEFT_BEHIND_MS = 60_000;
const ROUND = 50;

interface Dependencies {
  readonly gate: Gate;
  readonly system: SystemData;
  readonly egress: Egress;
  readonly clock: Clock;
}

/** Fetches logos when they are set, so that no page makes anybody call another server. */
export interface Logos {
  /** Those that wait. */
  fetchPending(tenantId: TenantId): Promise<void>;
  /** All of them, also those that are stored. */
  fetchAll(tenantId: TenantId): Promise<LogoRow[]>;
  /** What a process left behind that died, or that could not reach a server. */
  resume(): Promise<void>;
}

export function createLogos({ gate, system, egress, clock }: Dependencies): Logos {
  async function fetchThose(data: TenantData, rows: readonly FetchedRow[]): Promise<void> {
    const fetched = await Promise.all(
      rows.map(async (row) => ({ row, got: await fetchLogo(egress, data.tenantId, row) })),
    );
    if (fetched.length === 0) return;
    await data.transaction(async (tx) => {
      for (const { row, got } of fetched) await storeLogo(tx, row, got);
    });
  }

  async function fetchPending(tenantId: TenantId): Promise<void> {
    const data = gate.into(tenantId);
    const rows = await data.transaction(findLogos);
    await fetchThose(
      data,
      rows.filter(isFetched).filter(({ status }) => status === 'pending'),
    );
  }

  return {
    fetchPending,
    async fetchAll(tenantId) {
      const data = gate.into(tenantId);
      await fetchThose(data, (await data.transaction(findLogos)).filter(isFetched));
      return data.transaction(findLogos);
    },
    async resume() {
      const since = new Date(clock.now().getTime() - LEFT_BEHIND_MS);
      const waiting = await system.maintain('find logos', (tx) => findWaiting(tx, since, ROUND));
      for (const tenantId of waiting) await fetchPending(tenantId);
    },
  };
}

async function fetchLogo(
  egress: Egress,
  tenantId: TenantId,
  { url, attempts }: FetchedRow,
): Promise<Fetched> {
  const limits = { timeoutMs: TIMEOUT_MS, maxBytes: MAX_LOGO_BYTES, onBehalfOf: tenantId };
  const headers = { accept: 'image/avif,image/webp,image/png,image/svg+xml' };
  const got = await egress.send({ method: 'GET', url, headers, ...limits });
  const isLast = attempts + 1 >= MAX_ATTEMPTS;
  if (got.outcome !== 'answered') {
    return { reason: got.detail, isOver: got.outcome === 'refused' || isLast };
  }
  if (got.status !== 200) {
    return { reason: EGRESS_REASONS.status_not_ok, isOver: got.status < 500 || isLast };
  }
  const checked = checkImage(got.body);
  if ('objection' in checked) return { reason: `The answer ${checked.objection}.`, isOver: true };
  return { contentType: checked.contentType, digest: digestOf(got.body), image: got.body };
}

/** Stores a file as a logo, in place of what is there: one of each kind, whoever uploads however often. */
export async function uploadLogo(
  data: TenantData,
  caller: Caller,
  { kind: named, image }: { readonly kind: string; readonly image: string },
  fail: Fail<'VALIDATION_FAILED' | 'NOT_FOUND'>,
): Promise<LogoRow> {
  const kind = kindOf(named) ?? fail('NOT_FOUND');
  const upload = { kind, ...requireImage(image, fail) };
  return data.transaction(async (tx) => {
    const had = await dropAddress(tx, kind);
    if ((await putUpload(tx, upload)) || had) await note(tx, caller, kind, upload);
    const stored = (await findLogos(tx)).find((one) => one.kind === kind);
    if (!stored) throw new Error(`The ${kind} was not stored.`);
    return stored;
  });
}

/** Deletes a logo, with its address if it has one. */
export async function removeLogo(
  data: TenantData,
  caller: Caller,
  named: string,
  fail: Fail<'NOT_FOUND'>,
): Promise<LogoKind> {
  const kind = kindOf(named) ?? fail('NOT_FOUND');
  await data.transaction(async (tx) => {
    const had = await dropAddress(tx, kind);
    // With its address it is gone already.
    if (!(await deleteUpload(tx, kind)) && !had) fail('NOT_FOUND');
    await note(tx, caller, kind);
  });
  return kind;
}

function kindOf(text: string): LogoKind | undefined {
  return LOGO_KINDS.find((kind) => kind === text);
}

/** @throws AppError VALIDATION_FAILED for what is no image that a page may have */
function requireImage(text: string, fail: Fail<'VALIDATION_FAILED'>): Omit<Upload, 'kind'> {
  const image = Buffer.from(text, 'base64');
  const refuse = (message: string) =>
    fail('VALIDATION_FAILED', { errors: [{ path: '/image', message }] });
  // What decodes to the same bytes in two ways would not be known again.
  if (image.toString('base64') !== text) refuse('is no base64 with its padding');
  if (image.length > MAX_LOGO_BYTES) refuse('is larger than 256 KiB');
  const checked = checkImage(image);
  if ('objection' in checked) return refuse(checked.objection);
  return { contentType: checked.contentType, digest: digestOf(image), image };
}

async function note(tx: TenantTx, caller: Caller, kind: LogoKind, stored?: Upload): Promise<void> {
  tx.changed();
  const fields = ['branding'];
  const after = stored ? stored.digest.toString('hex') : null;
  await record(tx, caller, {
    action: 'tenant.updated',
    target: { kind: 'tenant', id: tx.tenantId },
    details: { fields, changes: [{ name: `branding.${kind}`, after }] },
    events: [{ type: 'tenant.updated', data: { fields } }],
  });
}

/** Images that a node keeps: at most 16 MiB. */
const MOST = 64;
/** SHA-256, as our own pages write it. */
const DIGEST = /^[0-9a-f]{64}$/;

/** The image of a tenant at an address; undefined if it has none there. */
export type FindServed = (tenantId: TenantId, digest: string) => Promise<Image | undefined>;

interface Served {
  readonly tenantId: TenantId;
  readonly image: Image;
}

/** Anybody may ask, and reading one takes as long as thirty requests for what is at hand: each is read once. */
export function createFindServed(gate: Gate, changes: Changes): FindServed {
  const cache = new TenantCache(changes, {
    async load(key: `${TenantId} ${string}`): Promise<Served | undefined> {
      const [tenantId, digest] = key.split(' ') as [TenantId, string];
      const bytes = Buffer.from(digest, 'hex');
      const found = await gate.into(tenantId).transaction((tx) => findImage(tx, bytes));
      if (!found?.image || found.content_type === null) return undefined;
      return { tenantId, image: new Image(found.content_type, found.image) };
    },
    tenantOf: ({ tenantId }) => tenantId,
    most: MOST,
  });
  return async (tenantId, digest) => {
    if (!DIGEST.test(digest)) return undefined;
    return (await cache.find(`${tenantId} ${digest}`))?.image;
  };
}

export function presentLogo({
  tenant_id,
  kind,
  url,
  status,
  reason,
  content_type,
  digest,
}: LogoRow) {
  return {
    tenant_id,
    kind: kind as LogoRecord['kind'],
    url,
    status: status as LogoRecord['status'],
    reason,
    content_type,
    sha256: digest?.toString('hex') ?? null,
  };
}

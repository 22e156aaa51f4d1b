import type { Fail } from '@keywright/contract/errors';
import type { TenantId } from '@keywright/contract/ids';
import { MAX_IMAGE_BYTES, type LogoKind, type LogoRecord } from '@keywright/contract/records/logo';
import type { Clock } from '../../../platform/clock.ts';
import type { Egress } from '../../../platform/egress/egress.ts';
import { EGRESS_REASONS } from '../../../platform/egress/reasons.ts';
import { Image } from '../../../platform/http/replies.ts';
import type { Caller } from '../../../tenancy/caller.ts';
import type { Gate, SystemData, TenantData, TenantTx } from '../../../tenancy/gate.ts';
import type { Core } from '../../../tenancy/module.ts';
import { TenantCache } from '../../../tenancy/directory.ts';
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
import { kindOf, requireImage } from './uploads.ts';

export const TIMEOUT_MS = 5000;
/** After the last attempt, the administrator must request the logo again. */
const MAX_ATTEMPTS = 5;
/** How long a logo is left to the node that set its address. */
const LEFT_BEHIND_MS = 60_000;
const ROUND = 50;

/** The number of images that a node caches: at most 32 MiB. */
const MOST_IMAGES = 64;
/** A SHA-256 digest as our pages write it. */
const DIGEST = /^[0-9a-f]{64}$/;

interface ServedImage {
  readonly tenantId: TenantId;
  readonly image: Image;
}

/**
 * The logos of tenants. A logo with an address is fetched when the address is set, so that no page makes a user's browser
 * call another server.
 */
export class LogoService {
  readonly #gate: Gate;
  readonly #system: SystemData;
  readonly #egress: Egress;
  readonly #clock: Clock;
  /** Reading an image takes as long as thirty requests for a cached one, and anyone can request it. */
  readonly #images: TenantCache<`${TenantId} ${string}`, ServedImage>;

  constructor({ gate, system, egress, clock, changes }: Core) {
    this.#gate = gate;
    this.#system = system;
    this.#egress = egress;
    this.#clock = clock;
    this.#images = new TenantCache(changes, {
      load: (key: `${TenantId} ${string}`) => this.#readImage(key),
      tenantOf: ({ tenantId }) => tenantId,
      most: MOST_IMAGES,
    });
  }

  async list(tenantId: TenantId): Promise<LogoRecord[]> {
    return (await this.#gate.into(tenantId).transaction(findLogos)).map(presentLogo);
  }

  /** Fetches logos that have not been fetched since their address was set. */
  async fetchPending(tenantId: TenantId): Promise<void> {
    const data = this.#gate.into(tenantId);
    const rows = await data.transaction(findLogos);
    const pending = rows.filter(isFetched).filter(({ status }) => status === 'pending');
    await this.#fetch(data, pending);
  }

  /** Fetches all logos that have an address again. */
  async fetchAll(tenantId: TenantId): Promise<LogoRecord[]> {
    const data = this.#gate.into(tenantId);
    await this.#fetch(data, (await data.transaction(findLogos)).filter(isFetched));
    return this.list(tenantId);
  }

  /** Fetches logos that remain pending because a process died, or could not reach a server. */
  async resume(): Promise<void> {
    const since = new Date(this.#clock.now().getTime() - LEFT_BEHIND_MS);
    const waiting = await this.#system.maintain('find logos', (tx) =>
      findWaiting(tx, since, ROUND),
    );
    for (const tenantId of waiting) await this.fetchPending(tenantId);
  }

  /** Stores a file as a logo. It replaces the logo of its kind: repeated uploads take no further space. */
  async upload(
    tenantId: TenantId,
    caller: Caller,
    { kind: name, image }: { readonly kind: string; readonly image: string },
    fail: Fail<'VALIDATION_FAILED' | 'NOT_FOUND'>,
  ): Promise<LogoRecord> {
    const kind = kindOf(name) ?? fail('NOT_FOUND');
    const upload = { kind, ...requireImage(image, kind, fail) };
    const row = await this.#gate.into(tenantId).transaction(async (tx) => {
      const hadAddress = await dropAddress(tx, kind);
      if ((await putUpload(tx, upload)) || hadAddress) await recordChange(tx, caller, kind, upload);
      const stored = (await findLogos(tx)).find((logo) => logo.kind === kind);
      if (!stored) throw new Error(`The ${kind} was not stored.`);
      return stored;
    });
    return presentLogo(row);
  }

  /** Deletes a logo, with its address if it has one. */
  async delete(tenantId: TenantId, caller: Caller, name: string, fail: Fail<'NOT_FOUND'>) {
    const kind = kindOf(name) ?? fail('NOT_FOUND');
    await this.#gate.into(tenantId).transaction(async (tx) => {
      const hadAddress = await dropAddress(tx, kind);
      // Deleting the address has already deleted the logo.
      if (!(await deleteUpload(tx, kind)) && !hadAddress) fail('NOT_FOUND');
      await recordChange(tx, caller, kind);
    });
    return { kind, deleted: true as const };
  }

  /** The image of a tenant with this digest. */
  async findImage(tenantId: TenantId, digest: string): Promise<Image | undefined> {
    if (!DIGEST.test(digest)) return undefined;
    return (await this.#images.find(`${tenantId} ${digest}`))?.image;
  }

  async #readImage(key: `${TenantId} ${string}`): Promise<ServedImage | undefined> {
    const [tenantId, digest] = key.split(' ') as [TenantId, string];
    const bytes = Buffer.from(digest, 'hex');
    const found = await this.#gate.into(tenantId).transaction((tx) => findImage(tx, bytes));
    if (!found?.image || found.content_type === null) return undefined;
    return { tenantId, image: new Image(found.content_type, found.image) };
  }

  async #fetch(data: TenantData, rows: readonly FetchedRow[]): Promise<void> {
    const fetched = await Promise.all(
      rows.map(async (row) => ({
        row,
        result: await fetchLogo(this.#egress, data.tenantId, row),
      })),
    );
    if (fetched.length === 0) return;
    await data.transaction(async (tx) => {
      for (const { row, result } of fetched) await storeLogo(tx, row, result);
    });
  }
}

async function fetchLogo(
  egress: Egress,
  tenantId: TenantId,
  { kind, url, attempts }: FetchedRow,
): Promise<Fetched> {
  const maxBytes = MAX_IMAGE_BYTES[kind];
  const limits = { timeoutMs: TIMEOUT_MS, maxBytes, onBehalfOf: tenantId };
  const headers = { accept: 'image/avif,image/webp,image/png,image/jpeg,image/svg+xml' };
  const response = await egress.send({ method: 'GET', url, headers, ...limits });
  const isLast = attempts + 1 >= MAX_ATTEMPTS;
  if (response.outcome !== 'answered') {
    return { reason: response.detail, isOver: response.outcome === 'refused' || isLast };
  }
  if (response.status !== 200) {
    return { reason: EGRESS_REASONS.status_not_ok, isOver: response.status < 500 || isLast };
  }
  const checked = checkImage(response.body);
  if ('objection' in checked) return { reason: `The response ${checked.objection}.`, isOver: true };
  return {
    contentType: checked.contentType,
    digest: digestOf(response.body),
    image: response.body,
  };
}

async function recordChange(
  tx: TenantTx,
  caller: Caller,
  kind: LogoKind,
  stored?: Upload,
): Promise<void> {
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

function presentLogo({ tenant_id, kind, url, status, reason, content_type, digest }: LogoRow) {
  return {
    tenant_id,
    kind,
    url,
    status,
    reason,
    content_type,
    sha256: digest?.toString('hex') ?? null,
  };
}

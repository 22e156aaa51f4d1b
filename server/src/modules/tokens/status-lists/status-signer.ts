import type { TenantId } from '@keywright/contract/ids';
import type { Clock } from '../../../platform/clock.ts';
import type { SigningKey } from '../../../platform/crypto/jws.ts';
import type { TenantDirectory } from '../../../tenancy/directory.ts';
import type { KeyRing } from '../signing-keys/index.ts';
import type { StatusChange } from './changes.ts';
import { changeEvent, closedEvent } from './signed.ts';

interface Dependencies {
  readonly keys: KeyRing;
  readonly directory: TenantDirectory;
  readonly clock: Clock;
}

interface Name {
  readonly key: SigningKey;
  readonly issuer: string;
}

/** Signs the events of one tenant's streams. */
export class StatusSigner {
  readonly #dependencies: Dependencies;
  readonly #tenantId: TenantId;
  /** Recent events: readers that reconnect at the same time get the same. */
  readonly #said = new Map<string, string>();
  #name: Name | undefined;

  constructor(tenantId: TenantId, dependencies: Dependencies) {
    this.#tenantId = tenantId;
    this.#dependencies = dependencies;
  }

  /** Drops cached events, which are outdated now. */
  forget(): void {
    this.#said.clear();
  }

  async change(change: StatusChange): Promise<string> {
    const { from, version, bits } = change;
    const kind = bits === undefined ? 'reset' : `${bits.length} bits`;
    const place = `${from} ${version} ${kind}`;
    const known = this.#said.get(place);
    if (known !== undefined) return known;
    const { key, issuer } = await this.#find();
    const text = changeEvent(key, issuer, change, this.#dependencies.clock.now());
    this.#said.set(place, text);
    return text;
  }

  /** Undefined if nothing was ever signed and the tenant's keys are gone. */
  async closed(): Promise<string | undefined> {
    const name = await this.#find().catch(() => this.#name);
    return name && closedEvent(name.key, name.issuer, this.#dependencies.clock.now());
  }

  async #find(): Promise<Name> {
    const { keys, directory } = this.#dependencies;
    const [key, tenant] = await Promise.all([
      keys.signer(this.#tenantId),
      directory.findById(this.#tenantId),
    ]);
    if (!tenant) throw new Error(`There is no tenant ${this.#tenantId}.`);
    this.#name = { key, issuer: tenant.issuer };
    return this.#name;
  }
}

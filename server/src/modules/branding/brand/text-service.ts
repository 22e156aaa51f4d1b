import type { Fail } from '@keywright/contract/errors';
import type { TenantId } from '@keywright/contract/ids';
import { TEXT_LOCALES, type TextLocale } from '@keywright/contract/locale';
import type { TextRecord } from '@keywright/contract/records/text';
import type { OkOf } from '@keywright/contract/route';
import type { deleteText, listTexts } from '@keywright/contract/routes/texts';
import { type Catalog, isFixed, type TextKey } from '../../../platform/texts/keys.ts';
import { CATALOGS } from '../../../platform/texts/load.ts';
import { formsOf, judgeText, namesIn, parseMessage } from '../../../platform/texts/message.ts';
import type { Caller } from '../../../tenancy/caller.ts';
import type { Gate, TenantTx } from '../../../tenancy/gate.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import { record } from '../../events/journal/index.ts';
import { requireForText } from '../../identity/roles/index.ts';
import {
  deleteTextOverride,
  findTextOverride,
  findTextOverrides,
  lockTexts,
  putTextOverride,
  type TextName,
} from './brand-store.ts';

export const MOST_TEXTS = 500;

interface TextPath {
  readonly locale: string;
  readonly key: string;
}

/** A text that ships with the service. */
interface ShippedText extends TextName {
  readonly key: TextKey;
  readonly usual: string;
  readonly english: string;
}

/** A tenant's texts for pages and emails, which replace the texts that ship with the service. */
export class TextService {
  readonly #gate: Gate;

  constructor(gate: Gate) {
    this.#gate = gate;
  }

  async list(
    tenantId: TenantId,
    language: string,
    fail: Fail<'NOT_FOUND'>,
  ): Promise<OkOf<typeof listTexts>> {
    const locale = localeIn({ locale: language }, fail);
    const [catalog, english] = await Promise.all([CATALOGS[locale](), CATALOGS.en()]);
    const overrides = await this.#gate
      .into(tenantId)
      .transaction((tx) => findTextOverrides(tx, locale));
    const texts = (Object.keys(catalog) as TextKey[]).map((key) => {
      const shipped = { locale, key, usual: catalog[key], english: english[key] };
      return presentText(tenantId, shipped, overrides.get(key));
    });
    return { tenant_id: tenantId, locale, texts };
  }

  async get(tenantId: TenantId, path: TextPath, fail: Fail<'NOT_FOUND'>): Promise<TextRecord> {
    const text = await findShipped(path, fail);
    const override = await this.#gate
      .into(tenantId)
      .transaction((tx) => findTextOverride(tx, text));
    return presentText(tenantId, text, override);
  }

  put(
    tenant: Tenant,
    caller: Caller,
    path: TextPath,
    text: string,
    fail: Fail<'NOT_FOUND' | 'TEXT_INVALID' | 'TEXT_FIXED' | 'TOO_MANY_TEXTS' | 'SCOPE_NOT_HELD'>,
  ): Promise<TextRecord> {
    return this.#gate.into(tenant.id).transaction(async (tx) => {
      const shipped = await findShipped(path, fail);
      if (isFixed(shipped.key)) fail('TEXT_FIXED');
      const judged = judgeText(text, parseMessage(shipped.usual));
      if (judged.objection !== undefined) {
        return fail('TEXT_INVALID', { detail: `The text ${judged.objection}.` });
      }
      await requireForText(tx, tenant, caller, formsOf(judged.message).join('\n'), fail);
      await lockTexts(tx);
      if (!(await putTextOverride(tx, shipped, text, MOST_TEXTS))) fail('TOO_MANY_TEXTS');
      await recordChange(tx, caller, shipped);
      return presentText(tenant.id, shipped, text);
    });
  }

  delete(
    tenantId: TenantId,
    caller: Caller,
    path: TextPath,
    fail: Fail<'NOT_FOUND'>,
  ): Promise<OkOf<typeof deleteText>> {
    return this.#gate.into(tenantId).transaction(async (tx) => {
      const shipped = await findShipped(path, fail);
      if (!(await deleteTextOverride(tx, shipped))) fail('NOT_FOUND');
      await recordChange(tx, caller, shipped);
      return { locale: shipped.locale, key: shipped.key, deleted: true };
    });
  }
}

async function findShipped(path: TextPath, fail: Fail<'NOT_FOUND'>): Promise<ShippedText> {
  const locale = localeIn(path, fail);
  const [catalog, english] = await Promise.all([CATALOGS[locale](), CATALOGS.en()]);
  const { key } = path;
  return hasKey(catalog, key)
    ? { locale, key, usual: catalog[key], english: english[key] }
    : fail('NOT_FOUND');
}

function localeIn({ locale }: Pick<TextPath, 'locale'>, fail: Fail<'NOT_FOUND'>): TextLocale {
  return TEXT_LOCALES.find((candidate) => candidate === locale) ?? fail('NOT_FOUND');
}

function hasKey(catalog: Catalog, key: string): key is TextKey {
  return Object.hasOwn(catalog, key);
}

function recordChange(tx: TenantTx, caller: Caller, { locale, key }: TextName) {
  return record(tx, caller, {
    action: 'branding.text_changed',
    target: { kind: 'tenant', id: tx.tenantId },
    details: { locale, key },
  });
}

/** @param override the text of the tenant */
function presentText(
  tenantId: TenantId,
  { locale, key, usual, english }: ShippedText,
  override: string | undefined,
): TextRecord {
  const { placeholders, tags } = namesIn(parseMessage(usual));
  return {
    tenant_id: tenantId,
    locale,
    key,
    default: usual,
    english,
    text: override ?? null,
    placeholders: [...placeholders],
    tags: [...tags],
    is_fixed: isFixed(key),
  };
}

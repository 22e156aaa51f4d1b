import type { Fail } from '@keywright/contract/errors';
import type { TenantId } from '@keywright/contract/ids';
import { TEXT_LOCALES, type TextLocale } from '@keywright/contract/locale';
import type { TextRecord } from '@keywright/contract/records/text';
import type { OkOf } from '@keywright/contract/route';
import type { deleteText, listTexts } from '@keywright/contract/routes/texts';
import { isFixed } from '../../../platform/texts/fixed.ts';
import type { Catalogue, TextKey } from '../../../platform/texts/keys.ts';
import { CATALOGUES } from '../../../platform/texts/load.ts';
import { parseMessage } from '../../../platform/texts/message.ts';
import { formsOf, judgeText, namesIn } from '../../../platform/texts/usable.ts';
import type { Caller } from '../../../tenancy/caller.ts';
import type { TenantData, TenantTx } from '../../../tenancy/gate.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import { record } from '../../events/journal/index.ts';
import { requireForText } from '../../identity/roles/index.ts';
import {
  deleteOwnText,
  findOwnText,
  findOwnTexts,
  lockTexts,
  putOwnText,
  type TextName,
} from './brand-store.ts';

const MOST_TEXTS = 500;

interface TextPath {
  readonly locale: string;
  readonly key: string;
}

interface Named extends TextName {
  readonly key: TextKey;
  readonly usual: string;
  readonly english: string;
}

async function nameIn(path: TextPath, fail: Fail<'NOT_FOUND'>): Promise<Named> {
  const locale = localeIn(path, fail);
  const [catalogue, english] = await Promise.all([CATALOGUES[locale](), CATALOGUES.en()]);
  const { key } = path;
  return hasKey(catalogue, key)
    ? { locale, key, usual: catalogue[key], english: english[key] }
    : fail('NOT_FOUND');
}

function localeIn({ locale }: Pick<TextPath, 'locale'>, fail: Fail<'NOT_FOUND'>): TextLocale {
  return TEXT_LOCALES.find((one) => one === locale) ?? fail('NOT_FOUND');
}

function hasKey(catalogue: Catalogue, key: string): key is TextKey {
  return Object.hasOwn(catalogue, key);
}

export async function findTextsOf(
  tenant: TenantData,
  language: string,
  fail: Fail<'NOT_FOUND'>,
): Promise<OkOf<typeof listTexts>> {
  const locale = localeIn({ locale: language }, fail);
  const [catalogue, english] = await Promise.all([CATALOGUES[locale](), CATALOGUES.en()]);
  const own = await tenant.transaction((tx) => findOwnTexts(tx, locale));
  const texts = (Object.keys(catalogue) as TextKey[]).map((key) => {
    const shipped = { locale, key, usual: catalogue[key], english: english[key] };
    return presentText(tenant, shipped, own.get(key));
  });
  return { tenant_id: tenant.tenantId, locale, texts };
}

export async function getTextOf(
  tenant: TenantData,
  path: TextPath,
  fail: Fail<'NOT_FOUND'>,
): Promise<TextRecord> {
  const named = await nameIn(path, fail);
  return presentText(tenant, named, await tenant.transaction((tx) => findOwnText(tx, named)));
}

export async function writeText(
  tx: TenantTx,
  { tenant, caller }: { readonly tenant: Tenant; readonly caller: Caller },
  path: TextPath,
  text: string,
  fail: Fail<'NOT_FOUND' | 'TEXT_INVALID' | 'TEXT_FIXED' | 'TOO_MANY_TEXTS' | 'SCOPE_NOT_HELD'>,
): Promise<TextRecord> {
  const named = await nameIn(path, fail);
  if (isFixed(named.key)) fail('TEXT_FIXED');
  const judged = judgeText(text, parseMessage(named.usual));
  if (judged.objection !== undefined) {
    return fail('TEXT_INVALID', { detail: `The text ${judged.objection}.` });
  }
  await requireForText(tx, tenant, caller, formsOf(judged.message).join('\n'), fail);
  await lockTexts(tx);
  if (!(await putOwnText(tx, named, text, MOST_TEXTS))) fail('TOO_MANY_TEXTS');
  await recordChange(tx, caller, named);
  return presentText(tx, named, text);
}

export async function removeText(
  tx: TenantTx,
  caller: Caller,
  path: TextPath,
  fail: Fail<'NOT_FOUND'>,
): Promise<OkOf<typeof deleteText>> {
  const named = await nameIn(path, fail);
  if (!(await deleteOwnText(tx, named))) fail('NOT_FOUND');
  await recordChange(tx, caller, named);
  return { locale: named.locale, key: named.key, deleted: true };
}

function recordChange(tx: TenantTx, caller: Caller, { locale, key }: TextName) {
  return record(tx, caller, {
    action: 'branding.text_changed',
    target: { kind: 'tenant', id: tx.tenantId },
    details: { locale, key },
  });
}

interface Shipped {
  readonly locale: TextLocale;
  readonly key: TextKey;
  readonly usual: string;
  readonly english: string;
}

/** @param own that of the tenant */
export function presentText(
  { tenantId }: { readonly tenantId: TenantId },
  { locale, key, usual, english }: Shipped,
  own: string | undefined,
): TextRecord {
  const { placeholders, tags } = namesIn(parseMessage(usual));
  return {
    tenant_id: tenantId,
    locale,
    key,
    default: usual,
    english,
    text: own ?? null,
    placeholders: [...placeholders],
    tags: [...tags],
    is_fixed: isFixed(key),
  };
}

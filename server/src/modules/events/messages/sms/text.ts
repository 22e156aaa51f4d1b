import { isIP } from 'node:net';
import type { MessageKind } from '@keywright/contract/messages';
import { fill, inOneLine } from '../render.ts';
import type { Values } from '../values.ts';
import { chooseSms, SMS_KINDS, type SmsKind, type Wanted } from '../texts/texts.ts';

/** A message of 160 characters has to have room for it. */
const COMPANY_CHARACTERS = 30;

export function isSmsKind(kind: MessageKind): kind is SmsKind {
  return SMS_KINDS.some((one) => one === kind);
}

/**
 * The text of a code by SMS. By the last line, browsers fill it in on pages of this host only (WebOTP, "origin-bound
 * one-time codes").
 * @param page of the tenant, on which users type the code
 */
export async function renderSms(
  kind: SmsKind,
  wanted: Wanted,
  values: Values,
  page: string,
): Promise<string> {
  const company = Array.from(values['company'] ?? '')
    .slice(0, COMPANY_CHARACTERS)
    .join('');
  const text = fill(await chooseSms(kind, wanted), inOneLine({ ...values, company }));
  const host = URL.parse(page)?.hostname ?? '';
  const isName = host !== '' && isIP(host) === 0 && !host.startsWith('[');
  return isName ? `${text}\n\n@${host} #${values['code'] ?? ''}` : text;
}

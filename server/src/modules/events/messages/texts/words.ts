import { formatsOf } from '../../../../platform/texts/formats.ts';
import { localeOf } from '../../../../platform/texts/locales.ts';
import type { TextKey } from '../../../../platform/texts/keys.ts';
import type { Texts } from '../../../../platform/texts/texts.ts';
import type { LoginsChange } from '../message.ts';
import type { Values } from '../values.ts';
import type { TextsOf } from './own.ts';

/** Values that are moments, as `Date` reads them. */
const MOMENTS = ['time', 'valid_until'] as const;

/** The values of a message as its language writes them. @param locale any that a tenant may have texts in */
export async function inWords(values: Values, locale: string, textsOf: TextsOf): Promise<Values> {
  const language = localeOf(locale);
  const texts = language && (await textsOf(language));
  const moment = texts ? texts.moment : formatsOf(locale).moment;
  const moments = MOMENTS.flatMap((name) => {
    const at = new Date(values[name] ?? '');
    return Number.isNaN(at.getTime()) ? [] : [[name, moment(at)] as const];
  });
  return {
    ...values,
    ...Object.fromEntries(moments),
    duration: durationOf(Number(values['minutes']), locale, texts),
    device: values['device'] ?? deviceOf(values, texts),
    ...(texts && values['what'] !== undefined && changeIn(values, texts)),
  };
}

/** The sentence of each change of how users log in. */
const CHANGES = {
  provider_added: 'notice.change.provider_added',
  provider_changed: 'notice.change.provider_changed',
  provider_deleted: 'notice.change.provider_deleted',
  provider_domain_added: 'notice.change.provider_domain_added',
  provider_domain_verified: 'notice.change.provider_domain_verified',
  provider_domain_removed: 'notice.change.provider_domain_removed',
  domains: 'notice.change.domains',
  mail_server: 'notice.change.mail_server',
  mail_server_removed: 'notice.change.mail_server_removed',
  sms_provider: 'notice.change.sms_provider',
  sms_provider_removed: 'notice.change.sms_provider_removed',
} as const satisfies Record<LoginsChange['what'], TextKey>;

/** Who changed what of how users log in. */
function changeIn({ what, changed = '', actor }: Values, texts: Texts): Values {
  return {
    change: texts.text(CHANGES[what as LoginsChange['what']], { changed }),
    actor: actor ?? texts.text('notice.actor.system_administrator'),
  };
}

function durationOf(minutes: number, locale: string, texts: Texts | undefined): string {
  if (texts) return texts.text('mail.duration', { minutes });
  const unit = { style: 'unit', unit: 'minute', unitDisplay: 'long' } as const;
  return new Intl.NumberFormat(`${locale}-u-nu-latn`, unit).format(minutes);
}

function deviceOf({ browser, system }: Values, texts: Texts | undefined): string | undefined {
  if (browser === undefined || system === undefined) return browser ?? system;
  return texts ? texts.text('browser.on', { browser, system }) : `${browser}, ${system}`;
}

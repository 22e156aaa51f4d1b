import type { ErrorCode } from '@keywright/contract/errors';
import type { RequestSchema } from '@keywright/contract/expectation';
import { TenantConfig } from '@keywright/contract/records/tenant';
import { ROUTES } from '@keywright/contract/routes';
import type { DEFAULTS } from '../../../server/src/platform/environment.ts';
import { code } from '../markdown.ts';

/** What is limited, the limit, the setting or variable that changes it, and the error of a request beyond it. */
export interface Limit {
  readonly what: string;
  readonly value: string;
  readonly setting?: keyof TenantConfig | keyof typeof DEFAULTS;
  readonly error?: ErrorCode;
}

const SECOND = 1000;
const UNITS = [
  [86_400, 'day'],
  [3600, 'hour'],
  [60, 'minute'],
  [1, 'second'],
] as const;

export function count(value: number): string {
  return value.toLocaleString('en-US');
}

/** In the largest unit that divides it; hours up to two days, as the guides do. */
export function inSeconds(seconds: number): string {
  const [size, unit] = UNITS.find(([length]) => seconds % length === 0 && seconds >= length) ?? [
    1,
    'second',
  ];
  const number = seconds / size;
  return `${count(number)} ${unit}${number === 1 ? '' : 's'}`;
}

export function inMs(milliseconds: number): string {
  return inSeconds(milliseconds / SECOND);
}

export function inBytes(bytes: number): string {
  const mebibytes = bytes / 1024 / 1024;
  return mebibytes >= 1 ? `${count(mebibytes)} MiB` : `${count(Math.floor(bytes / 1024))} KiB`;
}

interface Attempts {
  readonly login_attempts_limit: number;
  readonly login_attempts_window: number;
}

/** Such as: 30 per minute. */
export function rate(limits: Attempts): string {
  const window = inSeconds(limits.login_attempts_window).replace(/^1 /, '');
  return `${count(limits.login_attempts_limit)} per ${window}`;
}

/** The default of a setting of the tenant. */
export function byDefault(setting: keyof TenantConfig): number {
  const { default: value } = TenantConfig.properties[setting] as { readonly default?: unknown };
  if (typeof value !== 'number') throw new Error(`${setting} has no number as its default.`);
  return value;
}

/** The schema of a field in the body of a route, such as `roles`, or of its entries. */
export function field(id: string, name: string): RequestSchema {
  const body: RequestSchema | undefined = ROUTES.find((route) => route.id === id)?.body;
  const schema = body?.properties?.[name];
  if (schema === undefined) throw new Error(`${id} has no field ${name}.`);
  return schema;
}

/** The maximum number of entries of a list, or of characters of a text. */
export function most(id: string, name: string): string {
  const { maxItems, maxLength, maximum } = field(id, name);
  const value = maxItems ?? maxLength ?? maximum;
  if (value === undefined) throw new Error(`${name} of ${id} has no maximum.`);
  return count(value);
}

/** The text of the column for settings. */
export function settingText({ setting }: Limit): string {
  if (setting === undefined) return '';
  const page = setting.startsWith('KEYWRIGHT_') ? 'environment.md' : `settings.md#${setting}`;
  return `[${code(setting)}](${page})`;
}

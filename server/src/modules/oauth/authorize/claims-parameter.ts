import { USER_CLAIMS } from '../id-tokens/index.ts';
import type { AuthorizationRequest, WantedClaims } from './request.ts';

/** Claims that can be requested by name. Others are ignored (OpenID Connect Core §5.5). */
const ASKABLE: readonly string[] = ['sub', 'auth_time', 'acr', 'amr', ...USER_CLAIMS];

const MAX_CLAIMS_LENGTH = 4096;
const MAX_CLAIMS = 32;

interface RequestedClaims {
  readonly claims: AuthorizationRequest['claims'];
  /** Of `acr` of the ID token, if it is essential. */
  readonly essentialAcr: readonly unknown[];
}

const NOTHING: RequestedClaims = { claims: { idToken: {}, userinfo: {} }, essentialAcr: [] };

/** The `claims` parameter (OpenID Connect Core §5.5). Undefined: it is invalid. */
export function readClaimsParameter(text: string | undefined): RequestedClaims | undefined {
  if (text === undefined) return NOTHING;
  const asked = text.length <= MAX_CLAIMS_LENGTH ? objectIn(text) : undefined;
  if (!asked) return undefined;
  const idToken = wantedOf(asked['id_token']);
  const userinfo = wantedOf(asked['userinfo']);
  if (!idToken || !userinfo) return undefined;
  return { claims: { idToken, userinfo }, essentialAcr: essentialValuesOf(asked['id_token']) };
}

function objectIn(text: string): Record<string, unknown> | undefined {
  try {
    return asObject(JSON.parse(text));
  } catch {
    return undefined;
  }
}

function asObject(value: unknown): Record<string, unknown> | undefined {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isObject ? (value as Record<string, unknown>) : undefined;
}

function wantedOf(part: unknown): WantedClaims | undefined {
  if (part === undefined || part === null) return {};
  const members = asObject(part);
  if (!members || Object.keys(members).length > MAX_CLAIMS) return undefined;
  const known = ASKABLE.filter((name) => Object.hasOwn(members, name));
  return Object.fromEntries(
    known.map((name) => [name, { essential: asObject(members[name])?.['essential'] === true }]),
  );
}

/** OpenID Connect Core §5.5.1.1. */
function essentialValuesOf(part: unknown): readonly unknown[] {
  const members = asObject(part);
  const acr = members && Object.hasOwn(members, 'acr') ? asObject(members['acr']) : undefined;
  if (acr?.['essential'] !== true) return [];
  const { value, values } = acr;
  return [value ?? [], Array.isArray(values) ? (values as unknown[]) : []]
    .flat()
    .slice(0, MAX_CLAIMS);
}

import { type Freshness, stepUpChallenge } from '../../contract/src/assurance.ts';
import { DPOP_ALGORITHMS, dpopChallenge, type DpopError } from '../../contract/src/dpop.ts';
import { isScopeName } from './resource/scope-names.ts';

/** The parameters that a protected resource adds to its challenges (RFC 9728 §5.1). */
export interface ResourceChallenge {
  /** The URL of the metadata. */
  readonly metadataUrl: string;
  /** The scopes that the client should request: the required scopes, and those that the token already has. */
  readonly scopes: readonly string[];
  /** Whether tokens must be bound to keys. */
  readonly isProofRequired: boolean;
}

interface Refused {
  readonly status: 401 | 403;
  /** Whether the token is missing. */
  readonly isMissing: boolean;
  readonly dpopError: DpopError | undefined;
  readonly stepUp: Freshness | undefined;
  readonly missingScopes: readonly string[];
  readonly resource: ResourceChallenge | undefined;
}

/** The value of the header `WWW-Authenticate` (RFC 6750 §3, RFC 9449 §7.1, RFC 9470 §3, RFC 9728 §5.1). */
export function challengeOf(refused: Refused): string {
  const { resource, missingScopes } = refused;
  const scope = (resource?.scopes ?? missingScopes).filter(isScopeName).join(' ');
  const parameters = [
    ...(scope === '' ? [] : [`scope="${scope}"`]),
    ...(resource ? [`resource_metadata="${resource.metadataUrl}"`] : []),
  ];
  const first = withoutScope(refused);
  if (parameters.length === 0) return first;
  return `${first}${first.includes(' ') ? ', ' : ' '}${parameters.join(', ')}`;
}

function withoutScope({ status, isMissing, dpopError, stepUp, resource }: Refused): string {
  const scheme = resource?.isProofRequired ? 'DPoP' : 'Bearer';
  if (isMissing) return scheme === 'DPoP' ? `DPoP algs="${DPOP_ALGORITHMS.join(' ')}"` : scheme;
  if (dpopError) return dpopChallenge(dpopError);
  if (stepUp) return stepUpChallenge(stepUp, scheme);
  return `${scheme} error="${status === 401 ? 'invalid_token' : 'insufficient_scope'}"`;
}

import type { AgentTrust, ClaimValue } from '@keywright/contract/records/agent-proofs';
import { isOnlyFor } from './statement-rules.ts';

/**
 * Issuers that sign for every account holder, and the claims that identify one. Without one of them, or a subject,
 * strangers' tokens would match.
 */
const SHARED_ISSUERS: Readonly<Record<string, readonly string[]>> = {
  'https://token.actions.githubusercontent.com': [
    'repository',
    'repository_id',
    'repository_owner',
    'repository_owner_id',
    'job_workflow_ref',
    'enterprise_id',
  ],
  'https://gitlab.com': ['project_id', 'project_path', 'namespace_id', 'namespace_path'],
  'https://accounts.google.com': ['email', 'hd'],
  'https://agent.buildkite.com': ['organization_id', 'organization_slug', 'pipeline_id'],
  'https://app.terraform.io': [
    'terraform_organization_id',
    'terraform_organization_name',
    'terraform_workspace_id',
  ],
};

/** What is wrong with the rules of a trust; undefined when they identify a subject. */
export function rulesFlaw({ issuer, subject, claims = {} }: AgentTrust): string | undefined {
  if (subject !== undefined) return undefined;
  const names = Object.keys(claims);
  if (names.length === 0) return 'needs a subject, or claims';
  const telling = SHARED_ISSUERS[issuer.replace(/\/$/, '')];
  if (!telling || names.includes('sub') || names.some((name) => telling.includes(name))) {
    return undefined;
  }
  return `needs a subject or one of these claims, since anybody can get tokens there: ${telling.join(', ')}`;
}

/** Whether a trust covers a token with a valid signature and valid times. */
export function trustFits(trust: AgentTrust, claims: Readonly<Record<string, unknown>>): boolean {
  return (
    claims['iss'] === trust.issuer &&
    isOnlyFor(claims['aud'], [trust.audience]) &&
    typeof claims['sub'] === 'string' &&
    (trust.subject === undefined || claims['sub'] === trust.subject) &&
    Object.entries(trust.claims ?? {}).every(
      ([name, wanted]) => Object.hasOwn(claims, name) && isOneOf(claims[name], wanted),
    )
  );
}

function isOneOf(value: unknown, wanted: ClaimValue | readonly ClaimValue[]): boolean {
  const values: readonly unknown[] = Array.isArray(wanted) ? wanted : [wanted];
  return values.includes(value);
}

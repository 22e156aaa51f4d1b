import { AccessTokenClaims } from '@keywright/contract/claims';
import { fieldsOf, type Schema } from './types.ts';

const NOTE = '// Made from the contract by `npm run generate`.\n';

/** Every file that is made from the contract, by its path from the root. */
export function sdkFiles(): ReadonlyMap<string, string> {
  return new Map([['sdk/src/generated/claims.ts', claimsFile()]]);
}

function claimsFile(): string {
  const fields = fieldsOf(AccessTokenClaims as Schema, '  ');
  return `${NOTE}\n/** The claims of an access token (RFC 9068), custom ones among them. */\nexport interface AccessTokenClaims {\n${fields}}\n`;
}

import { AccessTokenClaims } from '@keywright/contract/claims';
import { ROUTES } from '@keywright/contract/routes';
import { eventsFile } from './events.ts';
import { apiFile, operationsFile, recordsFile } from './operations.ts';
import { referencePage } from './reference.ts';
import { fieldsOf, type Schema } from './types.ts';

const NOTE = '// Made from the contract by `npm run generate`.\n';

/** Every file that is made from the contract, by its path from the root. */
export function sdkFiles(): ReadonlyMap<string, string> {
  return new Map([
    ['sdk/src/generated/claims.ts', claimsFile()],
    ['sdk/src/generated/records.ts', `${NOTE}\n${recordsFile(ROUTES)}`],
    ['sdk/src/generated/api.ts', `${NOTE}\n${apiFile(ROUTES)}`],
    ['docs/reference/sdk.md', referencePage(ROUTES)],
    ['sdk/src/generated/events.ts', `${NOTE}\n${eventsFile()}`],
    ['sdk/src/generated/operations.ts', `${NOTE}\n${operationsFile(ROUTES)}`],
  ]);
}

function claimsFile(): string {
  const fields = fieldsOf(AccessTokenClaims as Schema, '  ');
  return `${NOTE}\n/** The claims of an access token (RFC 9068), custom ones among them. */\nexport interface AccessTokenClaims {\n${fields}}\n`;
}

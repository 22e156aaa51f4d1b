import { AccessTokenClaims } from '@keywright/contract/claims';
import { ROUTES } from '@keywright/contract/routes';
import { eventsFile } from './events.ts';
import { apiFile, operationsFile, recordsFile } from './operations.ts';
import { referencePages } from './reference.ts';
import { fieldsOf, type Schema } from './types.ts';

/** Routes with other response formats are for verifiers, not for the client. */
const CALLED = ROUTES.filter(({ ok }) => (ok.kind ?? 'json') === 'json');

const NOTE = '// Made from the contract by `npm run generate`.\n';

/** Returns every file generated from the contract, by its path from the root. */
export function sdkFiles(): ReadonlyMap<string, string> {
  return new Map([
    ['sdk/src/generated/claims.ts', claimsFile()],
    ['sdk/src/generated/records.ts', `${NOTE}\n${recordsFile(CALLED)}`],
    ['sdk/src/generated/api.ts', `${NOTE}\n${apiFile(CALLED)}`],
    ...referencePages(CALLED),
    ['sdk/src/generated/events.ts', `${NOTE}\n${eventsFile()}`],
    ['sdk/src/generated/operations.ts', `${NOTE}\n${operationsFile(CALLED)}`],
  ]);
}

function claimsFile(): string {
  const fields = fieldsOf(AccessTokenClaims as Schema, '  ');
  return `${NOTE}\n/** The claims of an access token (RFC 9068), custom ones among them. */\nexport interface AccessTokenClaims {\n${fields}}\n`;
}

import type { ImportedUser } from '../records/user-import.ts';
import { type Found, RecordProblem, type Source, type SourceSettings } from './source.ts';

/** The service's maximum number of users per request. */
const MAX_USERS = 1000;
/** Half of the service's limit on the request size. */
const MAX_BYTES = 1024 * 1024;

/** A user to send, and the position of the record that they come from. */
interface Sent {
  readonly at: number;
  readonly user: ImportedUser;
}

/** The users of one request, and the invalid records before and between them. */
export interface Batch {
  readonly users: readonly Sent[];
  readonly problems: readonly { readonly at: number; readonly message: string }[];
}

/** Converts records, and groups them into requests. */
export async function* batchesOf(
  records: AsyncIterable<Found>,
  source: Source,
  settings: SourceSettings & { readonly roles: readonly string[] },
): AsyncGenerator<Batch> {
  let users: Sent[] = [];
  let problems: { at: number; message: string }[] = [];
  let bytes = 0;
  for await (const { at, record } of records) {
    const user = convert(record, source, settings);
    if (user instanceof RecordProblem) {
      problems.push({ at, message: user.message });
      continue;
    }
    const size = new TextEncoder().encode(JSON.stringify(user)).length + 1;
    if (users.length === MAX_USERS || (users.length > 0 && bytes + size > MAX_BYTES)) {
      yield { users, problems };
      [users, problems, bytes] = [[], [], 0];
    }
    users.push({ at, user });
    bytes += size;
  }
  if (users.length + problems.length > 0) yield { users, problems };
}

function convert(
  record: Found['record'],
  source: Source,
  settings: SourceSettings & { readonly roles: readonly string[] },
): ImportedUser | RecordProblem {
  if (record instanceof RecordProblem) return record;
  try {
    const user = source.convert(record, settings);
    return settings.roles.length === 0 ? user : { ...user, roles: [...settings.roles] };
  } catch (error) {
    if (error instanceof RecordProblem) return error;
    throw error;
  }
}

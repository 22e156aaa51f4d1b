import type { User } from '@keywright/sdk';
import { Address } from '../../parts/address.tsx';
import { useTexts } from '../../texts/texts.tsx';
import type { Failed } from './bulk-run.ts';
import { nameOfUser } from '../../api/users.ts';

/** Shows for which users it failed, and why. */
export function BulkFailures({ failed }: { readonly failed: readonly Failed<User>[] }) {
  const { say } = useTexts();
  return (
    <div className="note bad" role="alert">
      <p>{say('bulkFailed', { count: failed.length })}</p>
      <ul className="chipless stack">
        {failed.map(({ item, problem: { message, code } }) => (
          <li key={item.id}>
            <Address text={nameOfUser(item)} />
            <br />
            <bdi lang="en">{message}</bdi> <bdi className="mono muted">{code}</bdi>
          </li>
        ))}
      </ul>
    </div>
  );
}

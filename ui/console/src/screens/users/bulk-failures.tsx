import type { User } from '@keywright/sdk';
import { Address } from '../../parts/address.tsx';
import { reasonOf } from '../../texts/problems.ts';
import { useTexts } from '../../texts/texts.tsx';
import type { Failed } from './bulk-run.ts';
import { nameOfUser } from '../../api/users.ts';

/** Shows for which users it failed, and why. */
export function BulkFailures({ failed }: { readonly failed: readonly Failed<User>[] }) {
  const texts = useTexts();
  return (
    <div className="note bad" role="alert">
      <p>{texts.say('bulkFailed', { count: failed.length })}</p>
      <ul className="chipless stack">
        {failed.map(({ item, problem }) => (
          <li key={item.id}>
            <Address text={nameOfUser(item)} />
            <br />
            {reasonOf(problem, texts)} <bdi className="mono muted">{problem.code}</bdi>
          </li>
        ))}
      </ul>
    </div>
  );
}

import type { User } from '@keywright/sdk';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../../api/call.ts';
import type { Problem } from '../../../api/problem.ts';
import { useToast } from '../../../parts/toast.tsx';
import { useTexts } from '../../../texts/texts.tsx';
import { useTenant } from '../../../url/params.ts';
import type { Metadata } from './rules.ts';

interface Change {
  /** Whether the present metadata is what the change was based on. */
  readonly isOf: (present: Metadata) => boolean;
  readonly next: (present: Metadata) => Metadata;
  readonly onSaved: (saved: Metadata) => void;
}

export interface Saving {
  readonly save: (change: Change) => void;
  readonly isPending: boolean;
  readonly problem: Problem | null;
  /** What another user saved in the meantime. Nothing was saved here. */
  readonly conflict: Metadata | undefined;
  readonly forget: () => void;
}

/**
 * Saves metadata. The API accepts only the whole of it and no condition, so it is read again immediately before.
 * Changes that another user saved since it was shown are overwritten only on request.
 */
export function useSaving({ id }: User): Saving {
  const tenant = useTenant();
  const queries = useQueryClient();
  const toast = useToast();
  const { say } = useTexts();
  const [conflict, setConflict] = useState<Metadata>();
  const { mutate, isPending, error, reset } = useMutation<Metadata | undefined, Problem, Change>({
    mutationFn: async ({ isOf, next }) => {
      const params = { user_id: id };
      const { metadata: present } = await call(tenant, 'users.get', { params });
      setConflict(isOf(present) ? undefined : present);
      if (!isOf(present)) return undefined;
      const metadata = next(present);
      await call(tenant, 'users.update', { params, body: { metadata } });
      return metadata;
    },
    onSuccess: async (saved, { onSaved }) => {
      if (saved) {
        toast(say('saved'));
        onSaved(saved);
      }
      await queries.invalidateQueries({ queryKey: [tenant] });
    },
  });
  const forget = () => {
    setConflict(undefined);
    reset();
  };
  return { save: mutate, isPending, problem: error, conflict, forget };
}

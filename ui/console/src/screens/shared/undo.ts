import type { FieldFacts } from '../../api/field-facts.ts';
import { useChange } from '../../api/queries.ts';
import type { RouteId } from '../../api/routes.ts';
import { isUnset } from '../../parts/form/field-value.tsx';
import { type Body, isSameValue } from '../../parts/form/values.ts';
import { useToast } from '../../parts/toast.tsx';
import { reasonOf } from '../../texts/problems.ts';
import { useTexts } from '../../texts/texts.tsx';
import { useTenant } from '../../url/params.ts';

/** Returns the body that restores the previous values of the changed fields; undefined if one of them cannot be restored. */
export function bodyOfUndo(
  fields: readonly FieldFacts[],
  before: Body,
  after: Body,
): Body | undefined {
  const changed = fields.filter(
    (field) => !isSameValue(field, before[field.name], after[field.name]),
  );
  const canUndo = ({ name, kind, nullable }: FieldFacts) =>
    kind !== 'secret' && (nullable || Array.isArray(before[name]) || !isUnset(before[name]));
  if (changed.length === 0 || !changed.every(canUndo)) return undefined;
  return Object.fromEntries(changed.map(({ name }) => [name, before[name] ?? null]));
}

/** Returns how to report that a record was saved, with an undo where it can be undone. */
export function useSavedToast(
  route: RouteId,
  params: Readonly<Record<string, string>>,
): (undo: Body | undefined) => void {
  const texts = useTexts();
  const { say } = texts;
  const toast = useToast();
  const change = useChange(useTenant(), route, () => toast(say('undone')));
  return (body) =>
    toast(say('saved'), {
      ...(body && {
        undo: () =>
          change.mutate(
            { params, body },
            {
              onError: (problem) => toast(reasonOf(problem, texts), { isBad: true }),
            },
          ),
      }),
    });
}

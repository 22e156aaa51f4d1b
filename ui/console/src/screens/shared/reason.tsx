/** Why something failed, in the words of the service, which are English. */
export function Reason({ text }: { readonly text: string | null }) {
  return (
    <span lang="en" dir="auto">
      {text ?? '–'}
    </span>
  );
}

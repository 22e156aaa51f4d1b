/** Quotes the reply of a server that was called, which is in English. */
export function Reason({ text }: { readonly text: string | null }) {
  return (
    <span lang="en" dir="auto" translate="no">
      {text ?? '–'}
    </span>
  );
}

/** Shows why something failed, in the service's words, which are English. */
export function Reason({ text }: { readonly text: string | null }) {
  return (
    <span lang="en" dir="auto">
      {text ?? '–'}
    </span>
  );
}

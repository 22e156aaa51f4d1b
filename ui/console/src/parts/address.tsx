/** An address can break after its @. It never loses the domain, which distinguishes users. */
export function Address({ text }: { readonly text: string }) {
  const [local = '', domain] = text.split(/(?<=@)/, 2);
  return (
    <bdi>
      {local}
      {domain !== undefined && (
        <>
          <wbr />
          {domain}
        </>
      )}
    </bdi>
  );
}

/** An address breaks behind its @, and never loses the domain that tells people apart. */
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

import { MAX_METADATA_BYTES } from '@keywright/contract/records/user';

const MAX_DEPTH = 32;

/** Why a value cannot be stored as metadata; undefined if it can. */
export function metadataFlaw(metadata: object): string | undefined {
  return structureFlaw(metadata) ?? sizeFlaw(metadata);
}

/** Without recursion: the sender chooses the depth. */
function structureFlaw(root: object): string | undefined {
  const pending: { value: unknown; depth: number }[] = [{ value: root, depth: 0 }];
  for (let next = pending.pop(); next; next = pending.pop()) {
    const { value, depth } = next;
    if (typeof value === 'string') {
      const flaw = textFlaw(value);
      if (flaw) return flaw;
    } else if (typeof value === 'object' && value !== null) {
      if (depth >= MAX_DEPTH) return `is nested deeper than ${MAX_DEPTH} levels`;
      for (const [key, inner] of Object.entries(value)) {
        pending.push({ value: key, depth }, { value: inner, depth: depth + 1 });
      }
    }
  }
  return undefined;
}

/** PostgreSQL supports neither in JSON. */
function textFlaw(text: string): string | undefined {
  if (text.includes('\0')) return 'holds a NUL character';
  return text.isWellFormed() ? undefined : 'holds half a surrogate pair';
}

function sizeFlaw(metadata: object): string | undefined {
  const bytes = Buffer.byteLength(JSON.stringify(metadata));
  return bytes > MAX_METADATA_BYTES
    ? `is larger than ${MAX_METADATA_BYTES} bytes as JSON`
    : undefined;
}

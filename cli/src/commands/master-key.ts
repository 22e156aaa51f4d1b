import { operation } from '../command.ts';

/** `from` and `to` are names that tell nothing about the keys. */
interface Rotation {
  readonly from: string;
  readonly to: string;
  readonly rewrapped: number;
}

export const masterKeyRotate = operation<Rotation>({
  name: 'master-key rotate',
  summary: 'puts every data key under the key of KEYWRIGHT_MASTER_KEY',
  details:
    'First restart every node with KEYWRIGHT_MASTER_KEY set to the new key and ' +
    'KEYWRIGHT_MASTER_KEY_PREVIOUS to the old one. Then run this, with the same two, while they serve. ' +
    'If it is interrupted, run it again: it goes on where it ended. When it is done, ' +
    'KEYWRIGHT_MASTER_KEY_PREVIOUS can be removed. New key: openssl rand -base64 32',
  options: {},
  examples: ['keywright master-key rotate'],
  given: () => ({}),
  render: ({ from, to, rewrapped }) => {
    if (from === to && rewrapped === 0) {
      return (
        `Nothing to do: every data key is under KEYWRIGHT_MASTER_KEY (${to}). To rotate, set it to a ` +
        'new key, and KEYWRIGHT_MASTER_KEY_PREVIOUS to this one.'
      );
    }
    const change = from === to ? `It is ${to}.` : `It was ${from}, and is ${to}.`;
    const keys = rewrapped === 1 ? '1 data key' : `${rewrapped} data keys`;
    return (
      `Every data key is under KEYWRIGHT_MASTER_KEY; ${keys} had to be wrapped anew. ${change}\n` +
      'KEYWRIGHT_MASTER_KEY_PREVIOUS is needed no longer.'
    );
  },
});

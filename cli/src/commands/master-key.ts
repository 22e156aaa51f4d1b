import { operation } from '../command.ts';

/** `from` and `to` are ids, which reveal nothing about the keys. */
interface Rotation {
  readonly from: string;
  readonly to: string;
  readonly rewrapped: number;
}

export const masterKeyRotate = operation<Rotation>({
  name: 'master-key rotate',
  summary: 're-encrypt every data key with KEYWRIGHT_MASTER_KEY',
  details:
    'First restart every node with KEYWRIGHT_MASTER_KEY set to the new key and ' +
    'KEYWRIGHT_MASTER_KEY_PREVIOUS to the old one. Then run this command with both, while the service ' +
    'runs. It fails while a listed node lacks the new key; a node that was killed remains listed for up ' +
    'to eleven minutes. If it is interrupted, run it again: it resumes. After that, you can remove ' +
    'KEYWRIGHT_MASTER_KEY_PREVIOUS. To generate a key: openssl rand -base64 32',
  options: {
    'ignore-nodes': {
      help: 'rotate although listed nodes lack the new key, because none of them is running',
    },
  },
  examples: ['keywright master-key rotate'],
  parameters: (options) => (options.has('ignore-nodes') ? { ignore_nodes: true } : {}),
  render: ({ from, to, rewrapped }) => {
    if (from === to && rewrapped === 0) {
      return (
        `Nothing to do: KEYWRIGHT_MASTER_KEY (${to}) wraps every data key. To rotate, set it to a new ` +
        'key, and KEYWRIGHT_MASTER_KEY_PREVIOUS to this one.'
      );
    }
    const change = from === to ? `Its id is ${to}.` : `Its id was ${from} and is now ${to}.`;
    const keys = rewrapped === 1 ? '1 data key' : `${rewrapped} data keys`;
    return (
      `KEYWRIGHT_MASTER_KEY wraps every data key; rewrapped ${keys}. ${change}\n` +
      'KEYWRIGHT_MASTER_KEY_PREVIOUS is no longer needed.'
    );
  },
});

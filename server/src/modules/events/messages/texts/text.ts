import type { MessageKind } from '@keywright/contract/messages';
import type { MessageText } from '../render.ts';

/** The texts of one language. */
export type Texts = Readonly<Record<MessageKind, MessageText>>;

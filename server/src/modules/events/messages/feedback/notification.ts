import Type, { type Static } from 'typebox';
import type { BodyOf } from '@keywright/contract/route';
import type { receiveFeedback } from '@keywright/contract/routes/feedback';
import { Compile } from '../../../../platform/compile.ts';
import { lazy } from '../../../../platform/lazy.ts';

/**
 * The fields of mail providers. They are not in the contract: some differ only by case, from each other and from those
 * of the service's own format, and generated clients cannot have both.
 */
const ProviderFields = Type.Object({
  /** Amazon SNS or Postmark: the kind of notification. */
  Type: text(64),
  // Amazon SNS: https://docs.aws.amazon.com/sns/latest/dg/sns-message-and-json-formats.html
  MessageId: text(128),
  TopicArn: text(512),
  Subject: text(512),
  Message: text(16_384),
  Timestamp: text(64),
  Token: text(1024),
  SubscribeURL: text(2048),
  SignatureVersion: text(8),
  Signature: text(1024),
  SigningCertURL: text(512),
  // Postmark: https://postmarkapp.com/developer/webhooks/bounce-webhook
  RecordType: text(64),
  ID: Type.Optional(Type.Integer()),
  MessageID: text(128),
  Email: text(254),
  BouncedAt: text(64),
});

export type FeedbackBody = BodyOf<typeof receiveFeedback>;

/** A report in one of the formats. */
export type Notification = FeedbackBody & Static<typeof ProviderFields>;

const checker = lazy(() => Compile(ProviderFields));

/** @returns undefined if a field has another type than its provider states, or is too long */
export function readNotification(body: FeedbackBody): Notification | undefined {
  return checker().Check(body) ? body : undefined;
}

function text(maxLength: number) {
  return Type.Optional(Type.String({ maxLength }));
}

/** The topics of events, with the beginnings of their types. */
const TOPICS = [
  ['people', ['user.', 'invitation.']],
  ['sessions', ['user.login', 'user.logout', 'session.']],
  ['signIn', ['password.', 'identifier.', 'factor.', 'identity.']],
  ['access', ['role.', 'workspace.']],
  ['clients', ['consent.', 'agent.', 'apikey.', 'delegation.']],
  ['delivery', ['webhook.', 'message.', 'messaging.', 'sms.']],
  ['tenant', ['tenant.', 'key.']],
] as const;

type Topic = (typeof TOPICS)[number][0];

/** Returns the types of each topic. The longest beginning decides; unknown types belong to the tenant. */
export function byTopic(
  types: readonly string[],
): readonly (readonly [Topic, readonly string[]])[] {
  return TOPICS.map(
    ([topic]) => [topic, types.filter((type) => topicOf(type) === topic)] as const,
  ).filter(([, found]) => found.length > 0);
}

function topicOf(type: string): Topic {
  const found = TOPICS.flatMap(([topic, starts]) =>
    starts.filter((start) => type.startsWith(start)).map((start) => ({ topic, start })),
  );
  return found.toSorted((a, b) => b.start.length - a.start.length)[0]?.topic ?? 'tenant';
}

/** What the variables of a message stand for. */
export type Values = Readonly<Record<string, string | undefined>>;

/** The `sub` of a user in our own tokens. No client has an id of this form. */
export function subjectOf(userId: number): string {
  return `user:${userId}`;
}

/** The user that a `sub` of our own tokens names; null when it names no user. */
export function userIdIn(subject: string): number | null {
  const id = Number(/^user:([1-9]\d{0,15})$/.exec(subject)?.[1]);
  return Number.isSafeInteger(id) ? id : null;
}

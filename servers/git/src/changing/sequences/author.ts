import type { CallOptions } from '../../call/open-repository.ts';
import type { Ident } from '../../repository/headers.ts';

/** Returns an author as variables of git's environment. */
export function identityOf(author: Ident | undefined): NonNullable<CallOptions['environment']> {
  if (author === undefined) return {};
  const { name, email, time, zone = '+0000' } = author;
  return {
    GIT_AUTHOR_NAME: name,
    GIT_AUTHOR_EMAIL: email,
    ...(time !== undefined && { GIT_AUTHOR_DATE: `@${time} ${zone}` }),
  };
}

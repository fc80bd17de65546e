/** What a decoding is asked for, and what it knows while it goes on. */
import { near, type Problem } from '../errors.ts';
import { memberOf } from '../pointer.ts';
import type { Schema } from './schema.ts';

export const MALFORMED_CODE = 'PUCX-ER0010';

/** What was left out of what was taken. */
export interface Notice {
  readonly path: string;
  readonly message: string;
}

export type Note = (notice: Notice) => void;

export interface Decoding {
  /** What is decoded when no member of it is meant; without it, a body. */
  readonly whole?: string;
  /** Is told of the unknown members of records that are no slips; without it they are refused. */
  readonly note?: Note | undefined;
  /** Unknown members of the whole that only repeat what is known; asked where one comes. */
  readonly repeats?: (() => Repeats) | undefined;
}

/** By member what it may say; of an empty list anything. */
export type Repeats = Readonly<Record<string, readonly (string | number)[]>>;

export interface Run extends Decoding {
  readonly problems: Problem[];
  readonly whole: string;
  /** Names that were compared with the known ones. */
  lookedUp: number;
  /** Forms whose members a refusal has listed: once is enough. */
  readonly listed: Set<Schema>;
}

/** `field`: what the message calls it; absent where the whole is meant. */
export function problem(field: string | null, path: string, message: string, suggestion?: string): Problem {
  const about = near(suggestion);
  return { code: MALFORMED_CODE, message, field: field === null ? null : memberOf(path), path, ...about };
}

/** What no schema says against a member, or against a parameter or header, whose path is its name. */
export const wrong = (field: string, message: string, path = `/${field}`, suggestion?: string): Problem => ({
  code: MALFORMED_CODE,
  message: `${field}: ${message}`,
  field,
  path,
  ...near(suggestion),
});

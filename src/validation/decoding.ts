/** Options and state of a decoding. */
import { near, type Problem, withLabel } from '../errors.ts';
import { memberOf } from '../pointer.ts';
import type { Schema } from './schema.ts';

export const MALFORMED_CODE = 'PUCX-ER0010';

/** Reports a member that was left out of an accepted value. */
export interface Notice {
  readonly path: string;
  readonly message: string;
}

export type Note = (notice: Notice) => void;

export interface Decoding {
  /** The name of the decoded value in problems without a member. Default: a body. */
  readonly subject?: string;
  /** Receives the unknown members of records that are no typing errors. Without it they are refused. */
  readonly note?: Note | undefined;
  /**
   * Returns the members of the whole that may be repeated in the body. Called at the first unknown member.
   */
  readonly repeats?: (() => Repeats) | undefined;
}

/** The permitted values of each member. An empty list permits any value. */
export type Repeats = Readonly<Record<string, readonly (string | number)[]>>;

export interface Run extends Decoding {
  readonly problems: Problem[];
  readonly subject: string;
  /** The names and indexes that lead to the value that is being decoded. */
  readonly path: (string | number)[];
  /** Number of names that were compared with the known ones. */
  searchedNames: number;
  /** Forms whose members a refusal has listed: each is listed once. */
  readonly listed: Set<Schema>;
}

/** Builds a problem with a message as it is. `field`: its member; `null` for the whole value. */
export function problem(field: string | null, path: string, message: string, suggestion?: string): Problem {
  const about = near(suggestion);
  return { code: MALFORMED_CODE, message, field: field === null ? null : memberOf(path), path, ...about };
}

/** Builds a problem whose message begins with the name of its member, or of the whole value. */
export const labelledProblem = (
  { subject }: Run,
  field: string | null,
  path: string,
  sentence: string,
  suggestion?: string,
): Problem => ({ ...problem(field, path, '', suggestion), ...withLabel(field ?? subject, sentence) });

/**
 * Builds a problem that no schema expresses, for a member, or for a parameter or header, whose path is its
 * name.
 */
export const fieldProblem = (
  field: string,
  message: string,
  path = `/${field}`,
  suggestion?: string,
): Problem => ({
  code: MALFORMED_CODE,
  ...withLabel(field, message),
  field,
  path,
  ...near(suggestion),
});

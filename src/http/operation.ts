/**
 * An operation is one method and one path, with the schemas that both validate and document it. Features list
 * theirs in `routes.ts`, `app.ts` mounts them, `openapi.ts` prints them.
 */
import type { Static, TSchema } from '@sinclair/typebox';
import type { Note, Repeats } from '../validation/decoding.ts';
import type { QuotaOwner } from '../fair-shares.ts';
import type { Right } from '../right.ts';

/** `PATCH`: only operations of neighbouring systems from files have it (contract section 22). */
export const METHODS = ['GET', 'POST', 'PUT', 'DELETE', 'PATCH'] as const;
export type Method = (typeof METHODS)[number];

/** The permitted callers: anybody, any signed-in user, or an administrator of the appliance. */
export type Access = 'anybody' | 'user' | 'administrator';

/**
 * The least right over a company with which an operation may be called (contract section 27). `none`: the
 * operation works on no catalogue. An operation that checks the right for each item names the least of these
 * rights.
 */
export type OperationRight = Right | 'none';

/** A body that is already JSON text, so that it is not built twice. */
export interface JsonText {
  readonly json: string;
}

export interface Answer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** A record that is sent as JSON, a JSON text, or a finished body with its own content type. */
  readonly body?: object | JsonText | undefined;
  readonly content?: BodyInit;
}

/** The result of a handler. Without a value the answer is 204. */
type Handled = Answer | void;

export interface Input<Caller, Params, Query, Body> {
  readonly caller: Caller;
  readonly params: Params;
  readonly query: Query;
  readonly body: Body;
  readonly request: Request;
  /** Receives the members of the body's items that are left out. `undefined`: no member is left out. */
  readonly note: Note | undefined;
  /** The quota owner of the resources that this request uses. An operation open to anybody has none. */
  readonly quotaOwner: QuotaOwner;
}

/** The form of the body: JSON (the default), optional JSON, ignored, or passed to the handler unread. */
export type BodyForm = 'json' | 'optional-json' | 'ignored' | 'raw';

interface Words {
  readonly summary: string;
  readonly description?: string;
}

/** Defaults of the operations of a section. */
interface Section {
  readonly tag: string;
  /** Section of the specification or the contract that the operation implements. */
  readonly source: string;
  readonly access?: Access;
  /** The operation works on the session or the subscriptions of the signed-in user. The command line has none. */
  readonly needsUser?: boolean;
  readonly right?: OperationRight;
}

export interface Operation<Caller> extends Words, Section {
  readonly id: string;
  readonly method: Method;
  readonly path: string;
  readonly access: Access;
  readonly needsUser: boolean;
  readonly right: OperationRight;
  readonly params?: TSchema | undefined;
  readonly query?: TSchema | undefined;
  readonly body?: TSchema | undefined;
  readonly bodyForm: BodyForm;
  /** Content types of a raw body. */
  readonly accepts: readonly string[];
  /** Schema of a raw body that may also be JSON of another form. */
  readonly jsonBody?: TSchema;
  readonly bodyLimit?: number;
  readonly success?: TSchema;
  /** Content type of a success, if not JSON. */
  readonly produces: string;
  /** Status of a success with a body. */
  readonly successStatus: number;
  /** Statuses of a success without a body. */
  readonly otherSuccess: readonly number[];
  /** Further content types of a success, selected by a parameter. */
  readonly alsoProduces: readonly string[];
  /** Request headers that the operation itself reads. */
  readonly headers: Readonly<Record<string, TSchema>>;
  /**
   * The operation signs in: its success carries the tokens, its refusal has the short body (contract section
   * 2).
   */
  readonly authenticates: boolean;
  /** The success carries new tokens of the caller's session. */
  readonly renewsSession: boolean;
  /** The operation has no parameter, and answers 404 when it has no content. */
  readonly mayBeMissing: boolean;
  readonly deprecated: boolean;
  /** Headers of every answer of this operation, refusals included. */
  readonly everyAnswer: Readonly<Record<string, string>>;
  /** The operation is switched off: it answers 404 and appears neither in the document nor in `Allow`. */
  readonly retired: boolean;
  readonly example?: unknown;
  /** The body member with the address that the callbacks of the document are sent to later. */
  readonly callbacksTo?: string;
  /** Members of the answered form that the body may repeat. Runs after the path is validated. */
  readonly repeats?: (params: never) => Repeats;
  /** Runs after authentication and before validation (contract section 2, order of checks). */
  readonly guard?: CompanyGuard<Caller>;
  readonly handle: (input: Input<Caller, never, never, never>) => Handled | Promise<Handled>;
}

/** Throws 403 when the caller lacks the right of the operation for the company that the request names. */
export type CompanyGuard<Caller> = (
  caller: Caller,
  params: RawParams,
  query: URLSearchParams,
  right: OperationRight,
) => void;

/** Path parameters, percent-decoded. `null`: decoding failed. */
export type RawParams = Readonly<Record<string, string | null>>;

export type Typed<T extends TSchema | undefined> = T extends TSchema ? Static<T> : undefined;

/** Members whose types follow from the operation's own schemas. */
type Schemas = 'params' | 'query' | 'body' | 'repeats' | 'handle';
/** Members that only the mounting code sets. */
type Mounted = 'method' | 'path' | 'everyAnswer' | 'retired';

export interface OperationDefinition<
  Caller,
  P extends TSchema | undefined,
  Q extends TSchema | undefined,
  B extends TSchema | undefined,
>
  extends Words, Partial<Omit<Operation<Caller>, Schemas | Mounted | keyof Words>> {
  readonly id: string;
  readonly params?: P;
  readonly query?: Q;
  readonly body?: B;
  readonly repeats?: (params: Typed<P>) => Repeats;
  readonly handle: (input: Input<Caller, Typed<P>, Typed<Q>, Typed<B>>) => Handled | Promise<Handled>;
}

/** Defines an operation; the types of its handler follow from its schemas. */
type Define<Further, WithoutRight> = <
  Caller,
  P extends TSchema | undefined = undefined,
  Q extends TSchema | undefined = undefined,
  B extends TSchema | undefined = undefined,
  M extends Method = Method,
>(
  method: M,
  path: string,
  definition: OperationDefinition<Caller, P, Q, B> &
    Further &
    (M extends WithoutRight ? unknown : { readonly right: OperationRight }),
) => Operation<Caller>;

/** One object for all operations: answers with the same sources share their headers (json-headers.ts). */
const NO_HEADERS: Readonly<Record<string, string>> = {};

export const operation: Define<Section, 'GET'> = (method, path, definition) => ({
  access: 'user',
  needsUser: false,
  right: 'leitura',
  bodyForm: definition.body === undefined ? 'ignored' : 'json',
  accepts: [],
  produces: 'application/json',
  successStatus: 200,
  otherSuccess: [],
  alsoProduces: [],
  headers: {},
  authenticates: false,
  renewsSession: false,
  mayBeMissing: false,
  deprecated: false,
  everyAnswer: NO_HEADERS,
  retired: false,
  // The pipeline passes each handler the values that its own schemas have decoded.
  ...definition,
  method,
  path,
});

/**
 * Defines the operations of one section. Each may override the defaults. An operation that writes names its
 * right, unless its section does.
 */
export const operationsIn =
  <S extends Section>(
    section: S,
  ): Define<unknown, S extends { readonly right: OperationRight } ? Method : 'GET'> =>
  (method, path, definition) =>
    operation(method, path, { right: 'leitura', ...section, ...definition });

export const ok = (record: object): Answer => ({ body: record });
export const okText = (json: string): Answer => ({ body: { json } });
export const ACCEPTED = 202;
/** Answers 202: the work has begun and continues in the background. */
export const accepted = (record: object): Answer => ({ ...ok(record), status: ACCEPTED });
export const noContent: Answer = { status: 204 };

/**
 * An operation is what one method and path do, with the schemas that both validate it and document it. Features list
 * theirs in `routes.ts`; `app.ts` mounts them; `openapi.ts` prints them.
 */
import type { Static, TSchema } from '@sinclair/typebox';
import type { Note, Repeats } from '../validation/decoding.ts';
import type { Holder } from '../fair-shares.ts';
import type { Callback } from './callbacks.ts';

/** `PATCH`: only neighbours from files have it (contract section 22). */
export const METHODS = ['GET', 'POST', 'PUT', 'DELETE', 'PATCH'] as const;
export type Method = (typeof METHODS)[number];

/** Who may call: anybody, any signed-in user, or an administrator of the appliance. */
export type Access = 'anybody' | 'user' | 'administrator';

/** A body that is already JSON text, so that it need not be built twice. */
export interface JsonText {
  readonly json: string;
}

export interface Answer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Record to be sent as JSON, JSON text, or a finished body with its own content type. */
  readonly body?: object | JsonText | undefined;
  readonly content?: BodyInit;
}

/** What a handler says; one that says nothing answers 204. */
type Handled = Answer | void;

export interface Input<Caller, Params, Query, Body> {
  readonly caller: Caller;
  readonly params: Params;
  readonly query: Query;
  readonly body: Body;
  readonly request: Request;
  /** Is told of what of the body's items is left out; absent: nothing is. */
  readonly note: Note | undefined;
  /** Whose share what is begun for this request counts to; of an operation that anybody may call, nobody's. */
  readonly holder: Holder;
}

/** How the body comes: JSON (the default), JSON that may be missing, not read by us, or given to the handler as it is. */
export type BodyForm = 'json' | 'optional-json' | 'ignored' | 'raw';

interface Words {
  readonly summary: string;
  readonly description?: string;
}

/** What the operations of a section have in common. */
interface Section {
  readonly tag: string;
  /** Section of the specification or the contract that the operation implements. */
  readonly source: string;
  readonly access?: Access;
}

export interface Operation<Caller> extends Words, Section {
  readonly id: string;
  readonly method: Method;
  readonly path: string;
  readonly access: Access;
  readonly params?: TSchema | undefined;
  readonly query?: TSchema | undefined;
  readonly body?: TSchema | undefined;
  readonly bodyForm: BodyForm;
  /** Content types of a raw body. */
  readonly accepts: readonly string[];
  /** Of a raw body that may also be JSON of another form. */
  readonly jsonBody?: TSchema;
  readonly bodyLimit?: number;
  readonly success?: TSchema;
  /** Content type of a success, where it is not JSON. */
  readonly produces: string;
  /** Status of a success with a body. */
  readonly successStatus: number;
  /** Statuses of a success without one. */
  readonly otherSuccess: readonly number[];
  /** Further content types of a success, which a parameter asks for. */
  readonly alsoProduces: readonly string[];
  /** Request headers that the operation itself reads. */
  readonly headers: Readonly<Record<string, TSchema>>;
  /** Signs in: its success carries the tokens, its refusal has the short body (contract section 2). */
  readonly authenticates: boolean;
  /** Its success carries new tokens of the caller's session. */
  readonly renewsSession: boolean;
  /** Without a parameter, and 404 all the same where there is nothing to answer with. */
  readonly mayBeMissing: boolean;
  readonly deprecated: boolean;
  /** Headers of every answer of this operation, refusals included. */
  readonly everyAnswer: Readonly<Record<string, string>>;
  /** Switched off: it answers 404, and neither the document nor `Allow` tells of it. */
  readonly retired: boolean;
  readonly example?: unknown;
  /** What is sent later to the address in that member of the body. */
  readonly callbacks?: { readonly to: string; readonly all: readonly Callback[] };
  /** What members of the answered form may say again in the body; the path is right by then. */
  readonly repeats?: (params: never) => Repeats;
  /** Runs after the caller is known and before anything of the request is judged (contract section 2, order of checks). */
  readonly guard?: (caller: Caller, params: RawParams, query: URLSearchParams) => void;
  readonly handle: (input: Input<Caller, never, never, never>) => Handled | Promise<Handled>;
}

/** Path parameters as they came, percent-decoded; `null` where that failed. */
export type RawParams = Readonly<Record<string, string | null>>;

export type Typed<T extends TSchema | undefined> = T extends TSchema ? Static<T> : undefined;

/** The types of these are those of its own schemas. */
type Schemas = 'params' | 'query' | 'body' | 'repeats' | 'handle';
/** What only whoever mounts it says. */
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
type Define<Further> = <
  Caller,
  P extends TSchema | undefined = undefined,
  Q extends TSchema | undefined = undefined,
  B extends TSchema | undefined = undefined,
>(
  method: Method,
  path: string,
  definition: OperationDefinition<Caller, P, Q, B> & Further,
) => Operation<Caller>;

export const operation: Define<Section> = (method, path, definition) => ({
  access: 'user',
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
  everyAnswer: {},
  retired: false,
  // The pipeline hands each handler what its own schemas have decoded.
  ...definition,
  method,
  path,
});

/** Defines the operations of one section, each of which may still say otherwise. */
export const operationsIn =
  (section: Section): Define<unknown> =>
  (method, path, definition) =>
    operation(method, path, { ...section, ...definition });

export const ok = (record: object): Answer => ({ body: record });
export const okText = (json: string): Answer => ({ body: { json } });
export const ACCEPTED = 202;
/** It is begun, and goes on by itself. */
export const accepted = (record: object): Answer => ({ ...ok(record), status: ACCEPTED });
export const noContent: Answer = { status: 204 };

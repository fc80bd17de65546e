/** Our schemas are TypeBox values; what validates and documents reads them as the JSON Schema that they are. */
import type { TSchema } from '@sinclair/typebox';

/** The part of JSON Schema that our schemas use, and our own `x-` keywords. */
export interface Schema {
  readonly type?: string;
  readonly format?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  /** Of an object: any other member is taken as it is. */
  readonly additionalProperties?: boolean;
  readonly items?: Schema;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly pattern?: string;
  readonly enum?: readonly string[];
  /** The domain in words, for messages: "8 dígitos". */
  readonly 'x-domain'?: string;
  /** A JSON number or boolean is taken as its text (attribute values). */
  readonly 'x-textual'?: boolean;
  /** Of an object: a text member takes a JSON number as its digits (records; contract section 4). */
  readonly 'x-digits'?: boolean;
  /** A day that may come as a moment, which stands for it. */
  readonly 'x-day'?: boolean;
  /** A code: blanks at its ends are not a part of it, as fixed-width fields have them. */
  readonly 'x-code'?: boolean;
  /** Letters of an enumeration may come in any case. */
  readonly 'x-any-case'?: boolean;
  /** Of a list: an object that says nothing at all is absent, as a column that is empty in its row; `filled`: not `{}`. */
  readonly 'x-skips-blank'?: 'all' | 'filled';
  /** What to do about a text that does not fit, as a sentence with a blank before it. */
  readonly 'x-hint'?: (text: string) => string | undefined;
  /** A further check on a text; returns what is accepted when it fails. */
  readonly 'x-check'?: (text: string) => boolean;
  /** The further faults of a text, as whole sentences; asked only of a text that is right otherwise. */
  readonly 'x-faults'?: (text: string) => readonly string[];
  /** How a received value is told in messages, where it may carry a secret (contract section 3). */
  readonly 'x-shown'?: (value: unknown) => string;
  /** An empty member is kept as `null`, where leaving it out means something else than emptying it. */
  readonly 'x-keeps-empty'?: boolean;
  /** The items are judged apart, each with its own result: here the list is checked only as a list. */
  readonly 'x-items-apart'?: boolean;
  /** The name under which the document shows this schema as a component. */
  readonly 'x-form'?: string;
  /** Stands for the form of that name in the document: a form that contains itself. */
  readonly 'x-ref'?: string;
  /** What to do instead, for members that people expect here; they are refused. */
  readonly 'x-elsewhere'?: Readonly<Record<string, string>>;
  /** Members that are accepted and dropped. */
  readonly 'x-ignored'?: readonly string[];
}

export const asSchema = (schema: TSchema): Schema => schema as unknown as Schema;

/** Whether what does not fit the schema must not be shown: it may be a secret in the wrong place. */
export const holdsSecrets = (schema: Schema): boolean => schema['x-shown'] !== undefined;

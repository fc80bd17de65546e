/** Reads TypeBox values as the JSON Schema that they are, for validation and documentation. */
import type { TSchema } from '@sinclair/typebox';

/** The part of JSON Schema that our schemas use, and our own `x-` keywords. */
export interface Schema {
  readonly type?: string;
  readonly format?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  /** For an object: other members are kept unchanged. */
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
  /** Description of the domain in messages: "8 dígitos". */
  readonly 'x-domain'?: string;
  /** Accepts a JSON number or boolean as its text (attribute values). */
  readonly 'x-textual'?: boolean;
  /** For an object: its text members accept a JSON number as its digits (records; contract section 4). */
  readonly 'x-digits'?: boolean;
  /** A day that also accepts a moment of that day. */
  readonly 'x-day'?: boolean;
  /** A code: blanks at its ends are removed, because fixed-width fields add them. */
  readonly 'x-code'?: boolean;
  /** An optional code: it may be absent or empty, which means absent, but not blank. */
  readonly 'x-absent-or-filled'?: boolean;
  /** Accepts an enumeration in any letter case. */
  readonly 'x-any-case'?: boolean;
  /** For a list: objects without content are absent, as empty columns of a row are. `filled`: except `{}`. */
  readonly 'x-skips-blank'?: 'all' | 'filled';
  /** Returns the remedy for a wrong text, as a sentence with a leading blank. */
  readonly 'x-hint'?: (text: string) => string | undefined;
  /** A further check of a text. `x-domain` describes the accepted texts. */
  readonly 'x-check'?: (text: string) => boolean;
  /** Returns further faults of an otherwise valid text, as whole sentences. */
  readonly 'x-faults'?: (text: string) => readonly string[];
  /** Prints a received value in messages when it may carry a secret (contract section 3). */
  readonly 'x-format-value'?: (value: unknown) => string;
  /** Keeps an empty member as `null`, when emptying it differs from omitting it. */
  readonly 'x-keeps-empty'?: boolean;
  /** The items are decoded separately, each with its own result. This schema checks only the list. */
  readonly 'x-items-apart'?: boolean;
  /** The name of the component that the document prints for this schema. */
  readonly 'x-form'?: string;
  /** Refers to the component of that name in the document, for a form that contains itself. */
  readonly 'x-ref'?: string;
  /** Remedies for members that clients often expect in this form. They are refused. */
  readonly 'x-elsewhere'?: Readonly<Record<string, string>>;
  /** Members that are accepted and dropped. */
  readonly 'x-ignored'?: readonly string[];
}

export const asSchema = (schema: TSchema): Schema => schema as unknown as Schema;

/** Returns true when a value that violates the schema must not be shown: it may be a misplaced secret. */
export const holdsSecrets = (schema: Schema): boolean => schema['x-format-value'] !== undefined;
